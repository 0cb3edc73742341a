/* main returns while a thread reads its variable: this ends all threads at once. */
#include <pthread.h>
#include <semaphore.h>

static sem_t started;
static int copy;

static void *look(void *arg) {
    sem_post(&started);
    copy = *(int *)arg;
    return 0;
}

int main(void) {
    pthread_t thread;
    int value = 3;
    sem_init(&started, 0, 0);
    pthread_create(&thread, 0, look, &value);
    sem_wait(&started);
    return 0;
}
