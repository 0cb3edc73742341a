#include <stdlib.h>
#include <string.h>
struct message { unsigned length; char text[]; };
int main(void)
{
    struct message *m = malloc(sizeof *m + 5);
    strcpy(m->text, "hello");
    free(m);
    return 0;
}
