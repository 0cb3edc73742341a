/* If a thread is cancelled in the function of pthread_once, the next thread calls it again. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t begun, never;
static int rounds;

static void prepare(void) {
    if (rounds++ == 0) {
        sem_post(&begun);
        sem_wait(&never);
    }
}

static void *work(void *unused) {
    pthread_once(&once, prepare);
    return unused;
}

int main(void) {
    pthread_t first, second;
    void *result;
    sem_init(&begun, 0, 0);
    sem_init(&never, 0, 0);
    pthread_create(&first, 0, work, 0);
    sem_wait(&begun);
    pthread_create(&second, 0, work, 0);
    pthread_cancel(first);
    pthread_join(first, &result);
    assert(result == PTHREAD_CANCELED);
    pthread_join(second, &result);
    assert(!result && rounds == 2);
    return 0;
}
