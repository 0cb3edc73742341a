/* After a timed-out join the data is still shared with the thread. */
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

static int data;

static void *run(void *given)
{
    data++;
    return given;
}

int main(void)
{
    pthread_t thread;
    struct timespec until;
    pthread_create(&thread, 0, run, 0);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_timedjoin_np(thread, 0, &until);
    return data;
}
