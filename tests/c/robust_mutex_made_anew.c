/* A thread ignores ENOTRECOVERABLE and continues without the mutex; the re-initialised mutex does not protect the data. */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutexattr_t robust;
static pthread_mutex_t lock;
static sem_t refused;
static int count;

static void *leave(void *unused) {
    pthread_mutex_lock(&lock);
    return unused;
}

static void *go_on(void *unused) {
    pthread_mutex_lock(&lock);
    sem_post(&refused);
    count++;
    return unused;
}

int main(void) {
    pthread_t one, other;
    sem_init(&refused, 0, 0);
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &robust);
    pthread_create(&one, 0, leave, 0);
    pthread_join(one, 0);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_create(&other, 0, go_on, 0);
    sem_wait(&refused);
    pthread_mutex_destroy(&lock);
    pthread_mutex_init(&lock, &robust);
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    pthread_join(other, 0);
    return 0;
}
