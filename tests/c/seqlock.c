#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static atomic_uint seq;
static atomic_int x, y;
static void *writer(void *arg)
{
    atomic_fetch_add(&seq, 1);
    x = 1;
    y = 1;
    atomic_fetch_add(&seq, 1);
    return 0;
}
int main(void)
{
    pthread_t w;
    pthread_create(&w, 0, writer, 0);
    unsigned before, after;
    int a, b;
    do {
        before = seq;
        a = x;
        b = y;
        after = seq;
    } while (before != after || (before & 1));
    assert(a == b);
    pthread_join(w, 0);
    return 0;
}
