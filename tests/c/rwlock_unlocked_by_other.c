/* A read lock must be released by the thread that acquired it. */
#include <pthread.h>
#include <semaphore.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t held;

static void *other(void *arg)
{
    sem_wait(&held);
    pthread_rwlock_unlock(&lock); /* fault: the main thread holds it */
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&held, 0, 0);
    pthread_create(&t, 0, other, 0);
    pthread_rwlock_rdlock(&lock);
    sem_post(&held);
    pthread_join(t, 0);
    return 0;
}
