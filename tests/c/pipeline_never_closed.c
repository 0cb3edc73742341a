// The middle stage does not forward the end of the stream.
#include <pthread.h>
#include <semaphore.h>
static sem_t full1, empty1, full2, empty2;
static int slot1, slot2;
static void *middle(void *arg) {
    for (;;) {
        sem_wait(&full1);
        int value = slot1;
        sem_post(&empty1);
        if (value < 0)
            return arg;
        sem_wait(&empty2);
        slot2 = value + 1;
        sem_post(&full2);
    }
}
static void *source(void *arg) {
    sem_wait(&empty1);
    slot1 = 1;
    sem_post(&full1);
    sem_wait(&empty1);
    slot1 = -1;
    sem_post(&full1);
    return arg;
}
int main(void) {
    pthread_t a, b;
    sem_init(&full1, 0, 0);
    sem_init(&empty1, 0, 1);
    sem_init(&full2, 0, 0);
    sem_init(&empty2, 0, 1);
    pthread_create(&a, 0, source, 0);
    pthread_create(&b, 0, middle, 0);
    for (int value = 0; value >= 0;) {
        sem_wait(&full2);
        value = slot2;
        sem_post(&empty2);
    }
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
