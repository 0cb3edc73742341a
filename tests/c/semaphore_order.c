/* The mutex is acquired before the slot: when the buffer is full, no thread can empty it. */
#include <pthread.h>
#include <semaphore.h>
static sem_t empty, full, mutex;
static int count;
static void *producer(void *arg)
{
    for (int i = 0; i < 2; i++) {
        sem_wait(&mutex);
        sem_wait(&empty);
        count++;
        sem_post(&full);
        sem_post(&mutex);
    }
    return 0;
}
int main(void)
{
    pthread_t p;
    sem_init(&empty, 0, 1);
    sem_init(&full, 0, 0);
    sem_init(&mutex, 0, 1);
    pthread_create(&p, 0, producer, 0);
    for (int i = 0; i < 2; i++) {
        sem_wait(&full);
        sem_wait(&mutex);
        count--;
        sem_post(&empty);
        sem_post(&mutex);
    }
    pthread_join(p, 0);
    return 0;
}
