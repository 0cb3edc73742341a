/* realloc to size 0, as in glibc: the block is freed, and the result is null. */
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    p = realloc(p, 0);
    assert(!p);
    return 0;
}
