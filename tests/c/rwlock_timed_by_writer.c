// A timed lock by the writer itself fails with EDEADLK, and an invalid deadline fails with EINVAL.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static const struct timespec soon = { 1, 0 };

static void *read_it(void *it)
{
    assert(pthread_rwlock_timedrdlock(&lock, &soon) == ETIMEDOUT);
    return it;
}

int main(void)
{
    struct timespec none = { 0, 1000000000 };
    pthread_t thread;
    assert(pthread_rwlock_wrlock(&lock) == 0);
    assert(pthread_rwlock_timedrdlock(&lock, &soon) == EDEADLK);
    assert(pthread_rwlock_timedwrlock(&lock, &soon) == EDEADLK);
    assert(pthread_rwlock_timedwrlock(&lock, &none) == EINVAL);
    assert(pthread_setname_np(pthread_self(), "sixteen letters.") == ERANGE);
    assert(pthread_setname_np(pthread_self(), "fifteen letters") == 0);
    pthread_create(&thread, 0, read_it, 0);
    pthread_join(thread, 0);
    pthread_rwlock_unlock(&lock);
}
