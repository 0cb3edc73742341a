/* Unlocking a recursive mutex that another thread holds fails with EPERM (POSIX), and the mutex is unchanged. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;

static void *other(void *unused) {
    assert(pthread_mutex_unlock(&lock) == EPERM);
    assert(pthread_mutex_trylock(&lock) == EBUSY);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &kind);
    assert(pthread_mutex_unlock(&lock) == EPERM);
    pthread_mutex_lock(&lock);
    pthread_mutex_trylock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_create(&thread, 0, other, 0);
    pthread_join(thread, 0);
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_unlock(&lock) == EPERM);
    assert(pthread_mutex_destroy(&lock) == 0);
    return 0;
}
