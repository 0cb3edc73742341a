/* Attributes have the values that were set, and invalid values are rejected as in POSIX. */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>

int main(void) {
    pthread_attr_t thread;
    pthread_mutexattr_t mutex;
    pthread_condattr_t condition;
    pthread_rwlockattr_t table;
    pthread_barrierattr_t barrier;
    struct sched_param priority = { 7 };
    size_t size;
    int value;
    pthread_attr_init(&thread);
    assert(pthread_attr_getdetachstate(&thread, &value) == 0 && value == PTHREAD_CREATE_JOINABLE);
    assert(pthread_attr_setdetachstate(&thread, 42) == EINVAL);
    assert(pthread_attr_setstacksize(&thread, PTHREAD_STACK_MIN - 1) == EINVAL);
    assert(pthread_attr_setstacksize(&thread, 100000) == 0);
    assert(pthread_attr_getstacksize(&thread, &size) == 0 && size == 100000);
    assert(pthread_attr_setguardsize(&thread, 8192) == 0);
    assert(pthread_attr_getguardsize(&thread, &size) == 0 && size == 8192);
    assert(pthread_attr_setscope(&thread, 42) == EINVAL);
    assert(pthread_attr_setinheritsched(&thread, PTHREAD_EXPLICIT_SCHED) == 0);
    assert(pthread_attr_getinheritsched(&thread, &value) == 0 && value == PTHREAD_EXPLICIT_SCHED);
    assert(pthread_attr_setschedpolicy(&thread, 42) == EINVAL);
    assert(pthread_attr_setschedpolicy(&thread, SCHED_RR) == 0);
    assert(pthread_attr_getschedpolicy(&thread, &value) == 0 && value == SCHED_RR);
    assert(pthread_attr_setschedparam(&thread, &priority) == 0);
    priority.sched_priority = 0;
    assert(pthread_attr_getschedparam(&thread, &priority) == 0 && priority.sched_priority == 7);
    pthread_mutexattr_init(&mutex);
    assert(pthread_mutexattr_settype(&mutex, PTHREAD_MUTEX_ERRORCHECK) == 0);
    assert(pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_mutexattr_setpshared(&mutex, 42) == EINVAL);
    assert(pthread_mutexattr_setprotocol(&mutex, PTHREAD_PRIO_INHERIT) == 0);
    assert(pthread_mutexattr_gettype(&mutex, &value) == 0 && value == PTHREAD_MUTEX_ERRORCHECK);
    assert(pthread_mutexattr_getpshared(&mutex, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
    assert(pthread_mutexattr_getprotocol(&mutex, &value) == 0 && value == PTHREAD_PRIO_INHERIT);
    pthread_condattr_init(&condition);
    assert(pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_condattr_getpshared(&condition, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
    assert(pthread_condattr_getclock(&condition, &value) == 0 && value == CLOCK_REALTIME);
    pthread_rwlockattr_init(&table);
    assert(pthread_rwlockattr_setpshared(&table, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_rwlockattr_getpshared(&table, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
    pthread_barrierattr_init(&barrier);
    assert(pthread_barrierattr_getpshared(&barrier, &value) == 0 && value == PTHREAD_PROCESS_PRIVATE);
    assert(pthread_barrierattr_setpshared(&barrier, 42) == EINVAL);
    return 0;
}
