#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#define N 2
static int ring[N];
static atomic_uint head, tail;

static void *producer(void *arg)
{
    for (int i = 1; i <= 3; i++) {
        unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
        while (t - atomic_load_explicit(&head, memory_order_acquire) == N) ;
        ring[t % N] = i;
        atomic_store_explicit(&tail, t + 1, memory_order_release);
    }
    return 0;
}
int main(void)
{
    pthread_t p;
    pthread_create(&p, 0, producer, 0);
    for (int i = 1; i <= 3; i++) {
        unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
        while (atomic_load_explicit(&tail, memory_order_acquire) == h) ;
        assert(ring[h % N] == i);
        atomic_store_explicit(&head, h + 1, memory_order_release);
    }
    pthread_join(p, 0);
    return 0;
}
