/* A thread after its last action need not have ended: pthread_tryjoin_np may fail. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *run(void *given)
{
    done = 1;
    return given;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    if (done)
        assert(pthread_tryjoin_np(thread, 0) != EBUSY);
    return 0;
}
