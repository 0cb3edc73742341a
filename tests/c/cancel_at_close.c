/* `close` is a cancellation point. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t asked;
static int ends[2];

static void *work(void *unused) {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
    sem_wait(&asked);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
    close(ends[0]);
    assert(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    sem_init(&asked, 0, 0);
    assert(pipe(ends) == 0);
    pthread_create(&thread, 0, work, 0);
    pthread_cancel(thread);
    sem_post(&asked);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
    return 0;
}
