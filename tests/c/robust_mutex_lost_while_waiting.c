/* A robust mutex becomes unrecoverable while a thread waits for a condition: the wait fails and the thread does not hold it. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waits;

static void *wait_for(void *unused) {
    if (pthread_mutex_lock(&lock)) return unused;
    waits = 1;
    if (pthread_cond_wait(&changed, &lock) == ENOTRECOVERABLE) {
        assert(pthread_mutex_unlock(&lock) == EPERM);
        assert(0);
    }
    pthread_mutex_consistent(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *careless(void *unused) {
    pthread_mutex_lock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread[2];
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &kind);
    pthread_create(&thread[0], 0, wait_for, 0);
    pthread_create(&thread[1], 0, careless, 0);
    pthread_join(thread[1], 0);
    if (pthread_mutex_lock(&lock) == EOWNERDEAD) pthread_mutex_unlock(&lock);
    pthread_cond_signal(&changed);
    pthread_join(thread[0], 0);
}
