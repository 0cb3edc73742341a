// A thread with an explicit policy cannot be created with a priority outside the range of this policy.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static int ran;

static void *run(void *it)
{
    ran++;
    return it;
}

int main(void)
{
    struct sched_param most = { .sched_priority = 1 };
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
    pthread_attr_setschedparam(&attributes, &most);
    pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
    assert(pthread_create(&thread, &attributes, run, 0) == 0);
    pthread_join(thread, 0);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    assert(pthread_create(&thread, &attributes, run, 0) == EINVAL);
    assert(ran == 1);
}
