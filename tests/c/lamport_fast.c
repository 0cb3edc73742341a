// Lamport's fast mutual exclusion (1987), for two threads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int b[3], x, y;
static int inside;
static void lock(int i) {
    for (;;) {
        atomic_store(&b[i], 1);
        atomic_store(&x, i);
        if (atomic_load(&y) != 0) {
            atomic_store(&b[i], 0);
            while (atomic_load(&y) != 0)
                ;
            continue;
        }
        atomic_store(&y, i);
        if (atomic_load(&x) == i)
            return;
        atomic_store(&b[i], 0);
        for (int j = 1; j <= 2; j++)
            while (atomic_load(&b[j]))
                ;
        if (atomic_load(&y) == i)
            return;
        while (atomic_load(&y) != 0)
            ;
    }
}
static void unlock(int i) {
    atomic_store(&y, 0);
    atomic_store(&b[i], 0);
}
static void *worker(void *arg) {
    int i = (int)(long)arg;
    lock(i);
    assert(++inside == 1);
    inside--;
    unlock(i);
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
