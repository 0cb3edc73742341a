/* The parsed number causes a violation much later; the format determines its destination. */
#include <stdio.h>
#include <assert.h>

int main(void)
{
    int n;
    long m;
    if (scanf("%d %ld", &n, &m) != 2)
        return 1;
    assert(n < 1000 || m != 77);
    return 0;
}
