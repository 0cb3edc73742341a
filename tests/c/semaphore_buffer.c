#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
#define SIZE 2
static sem_t empty, full, mutex;
static int buf[SIZE], in, out;
static void *producer(void *arg)
{
    for (int i = 0; i < 3; i++) {
        sem_wait(&empty);
        sem_wait(&mutex);
        buf[in] = i;
        in = (in + 1) % SIZE;
        sem_post(&mutex);
        sem_post(&full);
    }
    return 0;
}
static void *consumer(void *arg)
{
    for (int i = 0; i < 3; i++) {
        sem_wait(&full);
        sem_wait(&mutex);
        assert(buf[out] == i);
        out = (out + 1) % SIZE;
        sem_post(&mutex);
        sem_post(&empty);
    }
    return 0;
}
int main(void)
{
    pthread_t p, c;
    sem_init(&empty, 0, SIZE);
    sem_init(&full, 0, 0);
    sem_init(&mutex, 0, 1);
    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    sem_destroy(&empty);
    sem_destroy(&full);
    sem_destroy(&mutex);
    return 0;
}
