/* Arguments for parameters of transparent unions, and overflow builtins. */
#include <assert.h>

typedef union {
    int *number;
    const char *text;
    void *any;
} pointer __attribute__((transparent_union));

union tagged {
    struct point {
        int x;
    } *point;
    union tagged *self;
    long *wide;
} __attribute__((__transparent_union__));

static int first(pointer p, int kind)
{
    return kind == 0 ? *p.number : kind == 1 ? p.text[0] : p.any == 0;
}

static int of(union tagged u)
{
    return u.point ? u.point->x : -1;
}

static int (*through)(pointer, int) = first;

static int calls;

static long called(void)
{
    calls++;
    return 0;
}

_Static_assert(__builtin_mul_overflow_p(16, 16, (unsigned char)0), "");
_Static_assert(!__builtin_sub_overflow_p(1, 1, 0u), "");
_Static_assert(__builtin_classify_type(1) == 1 && __builtin_classify_type(1.0) == 8, "");
_Static_assert(__builtin_classify_type("a") == 5 && __builtin_classify_type((struct point){ 1 }) == 12, "");

int main(void)
{
    int x = 5;
    struct point s = { 7 };
    union tagged t = { &s };
    pointer w = { .number = &x };
    void *v = &x;
    assert(first(&x, 0) == 5 && first("q", 1) == 'q' && first(0, 2) == 1 && first(v, 0) == 5);
    assert(first(w, 0) == 5 && through(&x, 0) == 5);
    assert(of(&s) == 7 && of(t) == 7 && of(0) == -1);
    int n = 200;
    unsigned char c = 100;
    assert(__builtin_add_overflow_p(n, c, c) && !__builtin_add_overflow_p(n, c, (short)0));
    assert(__builtin_sub_overflow_p(c, n, 0u) && !__builtin_mul_overflow_p(n, c, called()) && calls == 1);
    for (int i = 0; i < 3; i++)
        assert(__builtin_mul_overflow_p(i, -1, 0u) == (i > 0));
    return 0;
}
