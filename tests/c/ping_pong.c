// Two threads alternate by means of two semaphores.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t ping, pong;
static int turn, log_[6], used;
static void *a(void *arg) {
    for (int i = 0; i < 3; i++) {
        sem_wait(&ping);
        assert(turn == 0);
        turn = 1;
        log_[used++] = 'a';
        sem_post(&pong);
    }
    return arg;
}
static void *b(void *arg) {
    for (int i = 0; i < 3; i++) {
        sem_wait(&pong);
        assert(turn == 1);
        turn = 0;
        log_[used++] = 'b';
        sem_post(&ping);
    }
    return arg;
}
int main(void) {
    pthread_t x, y;
    sem_init(&ping, 0, 1);
    sem_init(&pong, 0, 0);
    pthread_create(&x, 0, a, 0);
    pthread_create(&y, 0, b, 0);
    pthread_join(x, 0);
    pthread_join(y, 0);
    for (int i = 0; i < 6; i++)
        assert(log_[i] == (i % 2 ? 'b' : 'a'));
    sem_destroy(&ping);
    sem_destroy(&pong);
    return 0;
}
