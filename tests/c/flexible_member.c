#include <stdlib.h>
#include <string.h>
#include <assert.h>
struct message { unsigned length; char text[]; };
int main(void)
{
    struct message *m = malloc(sizeof *m + 6);
    m->length = 5;
    strcpy(m->text, "hello");
    assert(strlen(m->text) == m->length && sizeof *m == 4);
    free(m);
    return 0;
}
