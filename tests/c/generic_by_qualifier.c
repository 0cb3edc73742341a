/* Pointers to const and to non-const objects have different types. */
#include <assert.h>

#define KIND(p) _Generic((p), char *: 1, const char *: 2, volatile int *: 3, default: 4)

int main(void)
{
    char c[2];
    const char *p = c;
    volatile int *v = 0;
    const char **q = &p;
    assert(KIND(c) == 1 && KIND(p) == 2 && KIND(v) == 3 && KIND(q) == 4);
    assert(KIND(1 ? c : p) == 2 && KIND("text") == 1);
    assert(!__builtin_types_compatible_p(char *, const char *));
    assert(__builtin_types_compatible_p(const int, int));
    return 0;
}
