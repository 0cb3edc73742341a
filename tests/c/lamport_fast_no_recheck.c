// Lamport's fast mutual exclusion without the second test of x.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int inside;
static void *worker(void *arg) {
    int i = (int)(long)arg;
    atomic_store(&x, i);
    if (atomic_load(&y) != 0)
        return 0;
    atomic_store(&y, i);
    inside++;
    atomic_store(&y, 0);
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, worker, (void *)1L);
    pthread_create(&t, 0, worker, (void *)2L);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
