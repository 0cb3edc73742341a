/* `exit` runs a handler that frees memory which another, unjoined thread still uses. */
#include <pthread.h>
#include <stdlib.h>

static _Atomic int *shared;

static void tidy(void)
{
    free((void *)shared);
}

static void *worker(void *arg)
{
    (*shared)++;
    return arg;
}

int main(void)
{
    pthread_t t;
    shared = malloc(sizeof *shared);
    if (!shared)
        return 1;
    *shared = 0;
    if (atexit(tidy))
        return 1;
    pthread_create(&t, 0, worker, 0);
    exit(0);
}
