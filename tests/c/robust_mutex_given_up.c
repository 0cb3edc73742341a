/* A robust mutex unlocked without being made consistent is unusable for waiting and for new threads. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int had;

static void *careless(void *unused) {
    pthread_mutex_lock(&lock);
    return unused;
}

static void *next(void *unused) {
    int result = pthread_mutex_lock(&lock);
    if (result == EOWNERDEAD) {
        had++;
        assert(pthread_mutex_unlock(&lock) == 0);
    } else
        assert(result == ENOTRECOVERABLE);
    return unused;
}

int main(void) {
    pthread_t thread[2];
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &kind);
    pthread_create(&thread[0], 0, careless, 0);
    pthread_join(thread[0], 0);
    for (int i = 0; i < 2; i++) pthread_create(&thread[i], 0, next, 0);
    for (int i = 0; i < 2; i++) pthread_join(thread[i], 0);
    assert(had == 1);
    assert(pthread_mutex_trylock(&lock) == ENOTRECOVERABLE);
    assert(pthread_mutex_consistent(&lock) == EINVAL);
    assert(pthread_mutex_destroy(&lock) == 0);
    assert(pthread_mutex_init(&lock, &kind) == 0);
    assert(pthread_mutex_lock(&lock) == 0);
    assert(pthread_mutex_unlock(&lock) == 0);
}
