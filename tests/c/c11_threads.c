#include <threads.h>
#include <assert.h>
static mtx_t m;
static cnd_t c;
static int turn;
static int other(void *arg)
{
    mtx_lock(&m);
    while (turn != 1) cnd_wait(&c, &m);
    turn = 2;
    cnd_broadcast(&c);
    mtx_unlock(&m);
    return 7;
}
int main(void)
{
    thrd_t t;
    int result;
    assert(mtx_init(&m, mtx_plain) == thrd_success);
    cnd_init(&c);
    thrd_create(&t, other, 0);
    mtx_lock(&m);
    turn = 1;
    cnd_broadcast(&c);
    while (turn != 2) cnd_wait(&c, &m);
    mtx_unlock(&m);
    thrd_join(t, &result);
    assert(result == 7);
    cnd_destroy(&c);
    mtx_destroy(&m);
    return 0;
}
