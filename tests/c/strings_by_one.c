/* The magnitude of a negative strcmp result is unspecified; in glibc it is the difference of the characters. */
#include <assert.h>
#include <string.h>

int main(void) {
    char a[] = "abc", b[] = "axc";
    assert(strcmp(a, b) < 0 && strcmp(b, a) > 0 && strncmp(a, b, 1) == 0);
    assert(strcmp(a, b) == -1);
    return 0;
}
