// Both semaphores are initially one: the threads no longer alternate.
#include <pthread.h>
#include <semaphore.h>
static sem_t ping, pong;
static int used;
static void *a(void *arg) {
    sem_wait(&ping);
    used++;
    sem_post(&pong);
    return arg;
}
static void *b(void *arg) {
    sem_wait(&pong);
    used++;
    sem_post(&ping);
    return arg;
}
int main(void) {
    pthread_t x, y;
    sem_init(&ping, 0, 1);
    sem_init(&pong, 0, 1);
    pthread_create(&x, 0, a, 0);
    pthread_create(&y, 0, b, 0);
    pthread_join(x, 0);
    pthread_join(y, 0);
    return 0;
}
