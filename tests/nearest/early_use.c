/* The value may be used before it is ready. */
#include <pthread.h>

_Atomic int ready, early;

static void *producer(void *argument)
{
    (void)argument;
    ready = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, producer, 0);
    if (!ready)
        early = 1;
    pthread_join(thread, 0);
    return 0;
}
