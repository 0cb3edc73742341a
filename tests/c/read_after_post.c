/* The thread reads its argument after it has signalled completion. */
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int copy;

static void *take(void *arg) {
    sem_post(&done);
    copy = *(int *)arg;
    return 0;
}

static void give(pthread_t *thread) {
    int value = 3;
    pthread_create(thread, 0, take, &value);
    sem_wait(&done);
}

int main(void) {
    pthread_t thread;
    sem_init(&done, 0, 0);
    give(&thread);
    pthread_join(thread, 0);
    return 0;
}
