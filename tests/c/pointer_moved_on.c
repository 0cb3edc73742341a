/* The block of `last` leaks when `last` is reassigned, unless `first` still points to it: the memoised transition must
   distinguish states by a pointer that it does not read. */
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
