/* A thread ends while it holds a robust mutex: the next owner gets EOWNERDEAD and makes the mutex consistent. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int one, two;

static void *careless(void *unused) {
    if (pthread_mutex_lock(&lock) == 0)
        one++;
    return unused;
}

static void *careful(void *unused) {
    int left = pthread_mutex_lock(&lock);
    assert(left == 0 || left == EOWNERDEAD);
    if (left) {
        assert(one != two);
        two = one;
        assert(pthread_mutex_consistent(&lock) == 0);
        assert(pthread_mutex_consistent(&lock) == EINVAL);
    }
    assert(one == two);
    assert(pthread_mutex_unlock(&lock) == 0);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_mutexattr_t kind;
    int robust;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    assert(pthread_mutexattr_getrobust(&kind, &robust) == 0 && robust == PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &kind);
    assert(pthread_mutex_unlock(&lock) == EPERM);
    pthread_create(&threads[0], 0, careful, 0);
    pthread_create(&threads[1], 0, careless, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    careful(0);
    return 0;
}
