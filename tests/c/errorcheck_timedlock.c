/* pthread_mutex_timedlock of a held error-checking mutex fails with EDEADLK, pthread_mutex_trylock with EBUSY. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutex_t lock;
    struct timespec until = { 0, 0 };
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &attributes);
    assert(pthread_mutex_lock(&lock) == 0);
    assert(pthread_mutex_timedlock(&lock, &until) == EDEADLK);
    assert(pthread_mutex_trylock(&lock) == EBUSY);
    assert(pthread_mutex_unlock(&lock) == 0);
    return 0;
}
