/* Two threads get a block whose only pointers are in their registers: it leaks with the last use of the second. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int sum;

static void *look(void *arg) {
    int seen = *(int *)arg;
    atomic_fetch_add(&sum, seen);
    atomic_fetch_add(&sum, 1);
    return 0;
}

static void *compare(void *arg) {
    int *own = malloc(sizeof *own);
    *own = 2;
    atomic_fetch_add(&sum, 1);
    int seen = *(int *)arg;
    atomic_fetch_add(&sum, seen);
    atomic_fetch_add(&sum, *own);
    free(own);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    int *block = malloc(sizeof *block);
    *block = 1;
    pthread_create(&threads[0], 0, look, block);
    pthread_create(&threads[1], 0, compare, block);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return sum == 6 ? 0 : 1;
}
