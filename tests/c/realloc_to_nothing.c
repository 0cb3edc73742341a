/* As glibc has it: the block is freed, and there is none. */
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
