/* A thread with cancellation disabled is not cancelled until it enables cancellation. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t asked, never;
static int done;

static void *work(void *unused) {
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    assert(before == PTHREAD_CANCEL_ENABLE);
    sem_wait(&asked);
    sleep(1);
    done = 1;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before);
    assert(before == PTHREAD_CANCEL_DISABLE);
    sem_wait(&never);
    assert(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    sem_init(&asked, 0, 0);
    sem_init(&never, 0, 0);
    pthread_create(&thread, 0, work, 0);
    pthread_cancel(thread);
    sem_post(&asked);
    pthread_join(thread, &result);
    assert(done && result == PTHREAD_CANCELED);
    return 0;
}
