/* A record without members uses up the item of a list that stands for it, as gcc has it. */
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
