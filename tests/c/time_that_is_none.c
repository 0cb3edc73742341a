/* A deadline with an invalid nanosecond count is rejected if the thread would have to wait. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
int main(void)
{
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    sem_t s;
    struct timespec until = { 1, 1000000000 };
    sem_init(&s, 0, 0);
    pthread_mutex_lock(&m);
    assert(pthread_cond_timedwait(&c, &m, &until) == EINVAL);
    assert(sem_timedwait(&s, &until) == -1 && errno == EINVAL);
    assert(pthread_mutex_timedlock(&m, &until) == EINVAL);
    pthread_mutex_unlock(&m);
    assert(pthread_mutex_timedlock(&m, &until) == 0);
    until.tv_nsec = 5;
    int how = pthread_cond_timedwait(&c, &m, &until);
    assert(how == ETIMEDOUT || how == 0);
    return 0;
}
