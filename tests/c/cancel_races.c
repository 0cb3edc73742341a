/* Cancelling a thread does not synchronise with its accesses; only joining it does. */
#include <pthread.h>
#include <semaphore.h>

static sem_t never;
static int result;

static void *work(void *unused) {
    result = 1;
    sem_wait(&never);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&never, 0, 0);
    pthread_create(&thread, 0, work, 0);
    pthread_cancel(thread);
    result++;
    pthread_join(thread, 0);
    return result;
}
