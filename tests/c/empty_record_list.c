/* A member without members consumes an item of the initialiser list, as in GCC. */
#include <assert.h>

typedef struct {
} nothing;

static struct {
    nothing v;
    int a;
} one = {1}, two = {1, 2}, three = {{}, 3};
static struct {
    nothing v[2];
    int a;
} more = {1, 2, 3};
static nothing list[] = {[5] 1, 2};

int main(void)
{
    assert(one.a == 0 && two.a == 2 && three.a == 3 && more.a == 3);
    return sizeof list;
}
