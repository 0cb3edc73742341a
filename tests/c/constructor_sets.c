/* Functions with attribute `constructor` run before `main` in ascending order; those with `destructor` at the end. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock;
static int *table, size;

__attribute__((constructor(201))) static void second(void) { table = calloc(size, sizeof *table); }
static void first(void) __attribute__((constructor(200)));
static void first(void) { size = 2; pthread_mutex_init(&lock, 0); }
__attribute__((destructor)) static void last(void) { assert(table[0] == 2); free(table); }

static void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    table[0]++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
