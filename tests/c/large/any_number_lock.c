/* Threads are created without bound; each acquires the lock twice. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int busy;

static void *worker(void *unused)
{
    (void)unused;
    for (int round = 0; round < 2; round++) {
        pthread_mutex_lock(&lock);
        assert(!busy);
        busy = 1;
        busy = 0;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t thread;
    for (;;)
        pthread_create(&thread, 0, worker, 0);
}
