/* A loop of pthread_tryjoin_np for a running thread terminates with its result. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static int data;

static void *run(void *given)
{
    data++;
    return given;
}

int main(void)
{
    int error;
    void *result = 0;
    pthread_t thread;
    pthread_create(&thread, 0, run, &data);
    assert(pthread_tryjoin_np(pthread_self(), 0) == EBUSY);
    while ((error = pthread_tryjoin_np(thread, &result)) == EBUSY) {
    }
    assert(error == 0 && result == &data && data == 1);
    return 0;
}
