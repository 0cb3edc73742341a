// Dining philosophers: a waiter admits all but one to the table.
#include <pthread.h>
#include <semaphore.h>
#define N 3
static pthread_mutex_t fork_[N] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static sem_t waiter;
static void *philosopher(void *arg) {
    int i = (int)(long)arg;
    sem_wait(&waiter);
    pthread_mutex_lock(&fork_[i]);
    pthread_mutex_lock(&fork_[(i + 1) % N]);
    pthread_mutex_unlock(&fork_[(i + 1) % N]);
    pthread_mutex_unlock(&fork_[i]);
    sem_post(&waiter);
    return 0;
}
int main(void) {
    pthread_t t[N];
    sem_init(&waiter, 0, N - 1);
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, philosopher, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
