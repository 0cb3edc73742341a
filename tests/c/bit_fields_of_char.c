/* A bit-field is stored in one unit of its type, also for `char`. */
#include <assert.h>
#include <pthread.h>

struct flags { unsigned char a : 5, b : 5, c : 5, d : 1; };
static struct flags f;
static unsigned char *bytes = (unsigned char *)&f;

int main(void)
{
    assert(sizeof(struct flags) == 3);
    f.b = 31;
    assert(bytes[0] == 0 && bytes[1] == 31);
    return 0;
}
