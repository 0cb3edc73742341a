/* An access one row beyond heap memory for rows of variable length. */
#include <stdlib.h>

int main(void)
{
    int n = 2, m = 3;
    int (*a)[m] = malloc(n * sizeof *a);
    if (a)
        a[n][0] = 1;
    free(a);
    return 0;
}
