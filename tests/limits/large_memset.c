/* Library functions over large ranges. */
#include <stdlib.h>
#include <string.h>
enum { SIZE = 12000000 };
int main(void) {
    char *a = malloc(SIZE), *b = malloc(SIZE);
    for (unsigned i = 0;; i++) {
        memset(a, (int)(i & 127), SIZE);
        memcpy(b, a, SIZE);
        if (memcmp(a, b, SIZE) || memchr(a, 200, SIZE)) return 1;
    }
}
