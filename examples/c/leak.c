// The only error is a memory leak.
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    p = malloc(sizeof *p);
    free(p);
    return 0;
}
