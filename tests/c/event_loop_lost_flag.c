/* The flag is tested before the lock is acquired: the signal may be sent in between. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int stop;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static void *loop(void *arg)
{
    while (!atomic_load(&stop)) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&wake, &lock);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, loop, 0);
    atomic_store(&stop, 1);
    pthread_cond_broadcast(&wake);
    pthread_join(t, 0);
    return 0;
}
