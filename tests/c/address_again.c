/* ABA by reuse of an address: the current block is freed, and the next one has its address. No freed memory is accessed. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) current;
static atomic_int generation;

static void *renew(void *unused) {
    int *old = atomic_exchange(&current, NULL);
    if (old) {
        free(old);
        int *fresh = malloc(sizeof *fresh);
        atomic_fetch_add(&generation, 1);
        atomic_store(&current, fresh);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    current = malloc(sizeof(int));
    pthread_create(&thread, 0, renew, 0);
    int *seen = atomic_load(&current);
    int before = atomic_load(&generation);
    if (seen && atomic_compare_exchange_strong(&current, &seen, NULL)) {
        assert(atomic_load(&generation) == before);
        free(seen);
    }
    pthread_join(thread, 0);
    free(atomic_load(&current));
    return 0;
}
