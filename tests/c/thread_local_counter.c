#include <threads.h>
#include <assert.h>
static thread_local int count = 10;
static int work(void *arg)
{
    for (int i = 0; i < *(int *)arg; i++) count++;
    return count;
}
int main(void)
{
    thrd_t a, b;
    int x = 1, y = 2, ra, rb;
    thrd_create(&a, work, &x);
    thrd_create(&b, work, &y);
    thrd_join(a, &ra);
    thrd_join(b, &rb);
    assert(ra == 11 && rb == 12 && count == 10);
    return 0;
}
