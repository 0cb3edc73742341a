/* A thread uses memory of `alloca` after the allocating function has returned. */
#include <alloca.h>
#include <pthread.h>

static void *worker(void *arg)
{
    *(int *)arg = 1;
    return 0;
}

static void start(pthread_t *t)
{
    int *mine = alloca(sizeof *mine);
    *mine = 0;
    pthread_create(t, 0, worker, mine);
}

int main(void)
{
    pthread_t t;
    start(&t);
    pthread_join(t, 0);
    return 0;
}
