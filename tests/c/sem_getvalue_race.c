/* sem_getvalue stores through its second argument: a race with another write to this object. */
#include <pthread.h>
#include <semaphore.h>

static sem_t free_places;
static int seen;

static void *reset(void *unused)
{
    (void)unused;
    seen = 0;
    return 0;
}

int main(void)
{
    pthread_t other;
    sem_init(&free_places, 0, 3);
    pthread_create(&other, 0, reset, 0);
    sem_getvalue(&free_places, &seen);
    pthread_join(other, 0);
    sem_destroy(&free_places);
    return 0;
}
