// Burns' mutual exclusion with one bit per thread.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag[2];
static int inside;
static void *low(void *arg) {
    atomic_store(&flag[0], 1);
    while (atomic_load(&flag[1]))
        ;
    assert(++inside == 1);
    inside--;
    atomic_store(&flag[0], 0);
    return arg;
}
static void *high(void *arg) {
    for (;;) {
        while (atomic_load(&flag[0]))
            ;
        atomic_store(&flag[1], 1);
        if (!atomic_load(&flag[0]))
            break;
        atomic_store(&flag[1], 0);
    }
    assert(++inside == 1);
    inside--;
    atomic_store(&flag[1], 0);
    return arg;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, low, 0);
    pthread_create(&t, 0, high, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
