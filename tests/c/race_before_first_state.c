/* A race and then a failed assertion, both before the first scheduling point: the race occurs first. */
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
