/* main ends by pthread_exit, which ends the lifetime of its variables, while a thread reads one of them. */
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
    pthread_exit(0);
}
