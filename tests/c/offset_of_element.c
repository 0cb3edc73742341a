/* `offsetof` with indices that are not constant. */
#include <assert.h>
#include <stddef.h>

struct inner {
    char c;
    struct {
        short s;
        int v[5];
    } x[4];
    union {
        int u;
        char b[8];
    };
};

struct outer {
    long l;
    struct inner m[3];
};

static int calls;

static int two(void)
{
    calls++;
    return 2;
}

enum { CONSTANT = offsetof(struct outer, m[1].x[2].v[3]) };

int main(void)
{
    int i = 1, j = 2;
    unsigned char k = 3;
    assert(offsetof(struct inner, x[i]) == 28);
    assert(offsetof(struct outer, m[i].x[j].v[k]) == CONSTANT);
    assert(offsetof(struct outer, m[two()].b[i]) == 8 + 216 + 100 + 1 && calls == 1);
    assert(__builtin_offsetof(struct inner, b[i + 1]) == 102);
    assert(sizeof offsetof(struct inner, x[two()]) == sizeof(size_t) && calls == 1);
    i = -1;
    assert(offsetof(struct outer, m[i]) == (size_t)8 - sizeof(struct inner));
    return 0;
}
