/* A robust mutex that is released as its owner left it can never be had again: that is not followed. */
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;

static void *careless(void *unused) {
    pthread_mutex_lock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &kind);
    pthread_create(&thread, 0, careless, 0);
    pthread_join(thread, 0);
    if (pthread_mutex_lock(&lock) == EOWNERDEAD)
        pthread_mutex_unlock(&lock);
    return pthread_mutex_lock(&lock) == ENOTRECOVERABLE ? 0 : 1;
}
