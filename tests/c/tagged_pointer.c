#include <stdint.h>
#include <stdlib.h>
#include <assert.h>
int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 5;
    uintptr_t u = (uintptr_t)p | 1;
    assert(u & 1);
    int *q = (int *)(u & ~(uintptr_t)1);
    assert(*q == 5 && q == p);
    free(q);
    return 0;
}
