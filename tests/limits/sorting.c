/* A quadratic loop over an array. */
#include <stdlib.h>
int main(void) {
    int n = 200000;
    int *a = malloc((size_t)n * sizeof *a);
    for (int i = 0; i < n; i++) a[i] = (int)((i * 7919L) % n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j + 1 < n; j++)
            if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
    return a[0];
}
