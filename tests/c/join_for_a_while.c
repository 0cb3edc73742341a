/* A timed join may time out, and the caller continues. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *run(void *given)
{
    pthread_mutex_lock(&lock);
    data++;
    pthread_mutex_unlock(&lock);
    return given;
}

int main(void)
{
    pthread_t thread;
    struct timespec until, none = { 0, -1 };
    pthread_mutex_lock(&lock);
    pthread_create(&thread, 0, run, 0);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    assert(pthread_timedjoin_np(thread, 0, &until) == ETIMEDOUT);
    assert(pthread_timedjoin_np(thread, 0, &none) == EINVAL);
    assert(pthread_timedjoin_np(pthread_self(), 0, &until) == EDEADLK);
    pthread_mutex_unlock(&lock);
    assert(pthread_clockjoin_np(thread, 0, 77, &until) == EINVAL);
    int error = pthread_clockjoin_np(thread, 0, CLOCK_MONOTONIC, &none);
    assert(error == EINVAL || error == 0);
    if (error)
        assert(pthread_timedjoin_np(thread, 0, 0) == 0);
    assert(data == 1);
    return 0;
}
