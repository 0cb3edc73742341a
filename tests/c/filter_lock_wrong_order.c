// The filter lock with its two stores swapped: both threads may enter.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int interested[2], victim;
static int counter;
static void lock(int me) {
    atomic_store(&victim, me);
    atomic_store(&interested[me], 1);
    while (atomic_load(&interested[1 - me]) && atomic_load(&victim) == me)
        ;
}
static void unlock(int me) { atomic_store(&interested[me], 0); }
static void *worker(void *arg) {
    int me = *(int *)arg;
    lock(me);
    counter++;
    unlock(me);
    return 0;
}
int main(void) {
    pthread_t t[2];
    int id[2] = {0, 1};
    pthread_create(&t[0], 0, worker, &id[0]);
    pthread_create(&t[1], 0, worker, &id[1]);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
