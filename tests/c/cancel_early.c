/* A thread with cancellation enabled may be cancelled before its first action. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t asked;
static int done;

static void *work(void *unused) {
    sem_wait(&asked);
    done = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&asked, 0, 0);
    pthread_create(&thread, 0, work, 0);
    sem_post(&asked);
    pthread_cancel(thread);
    pthread_join(thread, 0);
    assert(done);
    return 0;
}
