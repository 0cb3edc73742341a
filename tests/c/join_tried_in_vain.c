/* A loop of pthread_tryjoin_np for a thread that waits for the caller. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *given)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return given;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, 0, run, 0);
    while (pthread_tryjoin_np(thread, 0) == EBUSY) {
    }
    pthread_mutex_unlock(&lock);
    return 0;
}
