/* `atexit` handlers run when `main` returns, in reverse order of registration, after all threads were joined. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *shared;
static int steps;

static void first(void)
{
    assert(steps == 1 && *shared == 2);
    free(shared);
}

static void second(void)
{
    assert(steps == 0);
    steps++;
}

static void *worker(void *arg)
{
    __sync_fetch_and_add(shared, 1);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    shared = calloc(1, sizeof *shared);
    if (!shared)
        return 1;
    if (atexit(first) || atexit(second))
        _Exit(1);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
