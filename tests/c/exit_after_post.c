/* A detached thread signals completion, writes once more, and exits: the last write is unordered with the waiting thread. */
#include <pthread.h>
#include <semaphore.h>

static sem_t done, stop;
static int result;

static void *work(void *unused) {
    (void)unused;
    sem_post(&done);
    result = 1;
    pthread_exit(0);
}

static void *wait_for_the_end(void *unused) {
    sem_wait(&stop);
    return unused;
}

int main(void) {
    pthread_t thread, other;
    int seen;
    pthread_attr_t attributes;
    sem_init(&done, 0, 0);
    sem_init(&stop, 0, 0);
    pthread_create(&other, 0, wait_for_the_end, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, work, 0);
    sem_wait(&done);
    seen = result;
    sem_post(&stop);
    pthread_join(other, 0);
    return seen > 1;
}
