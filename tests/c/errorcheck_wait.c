/* Waiting without holding an error-checking mutex fails with an error. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
    pthread_mutex_t lock;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &kind);
    assert(pthread_cond_wait(&changed, &lock) == EPERM);
    assert(pthread_mutex_lock(&lock) == 0);
    return 0;
}
