/* The violation requires seven concurrent threads. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int inside;

static void *worker(void *unused)
{
    int now = ++inside;
    assert(now < 7);
    --inside;
    return unused;
}

int main(void)
{
    pthread_t thread;
    while (1)
        pthread_create(&thread, 0, worker, 0);
}
