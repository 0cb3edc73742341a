/* The producer does not check whether the ring is full. */
#include <pthread.h>
#include <stdatomic.h>
#define N 2
static int ring[N];
static atomic_uint head, tail;

static void *producer(void *arg)
{
    for (int i = 1; i <= 3; i++) {
        unsigned t = atomic_load(&tail);
        ring[t % N] = i;
        atomic_store(&tail, t + 1);
    }
    return 0;
}
int main(void)
{
    pthread_t p;
    int sum = 0;
    pthread_create(&p, 0, producer, 0);
    for (int i = 1; i <= 3; i++) {
        unsigned h = atomic_load(&head);
        while (atomic_load(&tail) == h) ;
        sum += ring[h % N];
        atomic_store(&head, h + 1);
    }
    pthread_join(p, 0);
    return sum > 0 ? 0 : 1;
}
