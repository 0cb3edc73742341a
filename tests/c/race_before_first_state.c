/* A race, and what fails after it, both before any thread takes turns: the race came first. */
#include <assert.h>
#include <pthread.h>

static int ready;

static void *work(void *unused)
{
    assert(ready);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    ready = 0;
    pthread_join(thread, 0);
    return 0;
}
