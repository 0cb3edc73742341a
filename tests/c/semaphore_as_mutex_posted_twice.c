// A semaphore protects a counter, and one thread posts it once too often.
#include <pthread.h>
#include <semaphore.h>
static sem_t guard;
static int counter;
static void *sloppy(void *arg) {
    sem_wait(&guard);
    counter++;
    sem_post(&guard);
    sem_post(&guard);
    return arg;
}
static void *worker(void *arg) {
    sem_wait(&guard);
    counter++;
    sem_post(&guard);
    return arg;
}
int main(void) {
    pthread_t t[3];
    sem_init(&guard, 0, 1);
    pthread_create(&t[0], 0, sloppy, 0);
    pthread_create(&t[1], 0, worker, 0);
    pthread_create(&t[2], 0, worker, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
