/* Priorities are not modelled, so the verdict is unknown where they matter. */
#include <pthread.h>
#include <sched.h>

int main(void) {
    struct sched_param priority = { 5 };
    int policy;
    if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority) != 0)
        return 1;
    pthread_getschedparam(pthread_self(), &policy, &priority);
    return policy == SCHED_FIFO && priority.sched_priority == 5 ? 0 : *(int *)0;
}
