/* The block that `last` led to is lost when `last` moves on, if `first` does not lead to it any more: the same step has to be
   told apart by what it does not look at. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) first, last, next;
static sem_t stop;

static void *clear(void *unused) {
    atomic_store(&first, NULL);
    sem_wait(&stop);
    atomic_load(&last);
    return unused;
}

int main(void) {
    pthread_t thread;
    first = malloc(sizeof(int));
    last = first;
    next = malloc(sizeof(int));
    sem_init(&stop, 0, 0);
    pthread_create(&thread, 0, clear, 0);
    last = next;
    atomic_load(&last);
    atomic_load(&first);
    sem_post(&stop);
    pthread_join(thread, 0);
    free(next);
    return 0;
}
