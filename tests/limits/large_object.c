/* One object as large as the memory limit. */
#include <stdlib.h>
#include <string.h>
int main(void) {
    size_t n = (size_t)3 << 30;
    char *a = malloc(n);
    memset(a, 7, n);
    return a[n - 1] != 7;
}
