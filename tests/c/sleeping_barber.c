#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
#define CHAIRS 1
#define CUSTOMERS 2
static sem_t customers, barber;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int waiting, served, left;
static void *barber_thread(void *p)
{
    for (;;) {
        sem_wait(&customers);
        pthread_mutex_lock(&m);
        if (waiting == 0) { pthread_mutex_unlock(&m); return 0; }
        waiting--;
        served++;
        sem_post(&barber);
        pthread_mutex_unlock(&m);
    }
}
static void *customer(void *p)
{
    pthread_mutex_lock(&m);
    if (waiting < CHAIRS) {
        waiting++;
        sem_post(&customers);
        pthread_mutex_unlock(&m);
        sem_wait(&barber);
    } else {
        left++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void)
{
    pthread_t b, c[CUSTOMERS];
    sem_init(&customers, 0, 0);
    sem_init(&barber, 0, 0);
    pthread_create(&b, 0, barber_thread, 0);
    for (int i = 0; i < CUSTOMERS; i++) pthread_create(&c[i], 0, customer, 0);
    for (int i = 0; i < CUSTOMERS; i++) pthread_join(c[i], 0);
    sem_post(&customers);
    pthread_join(b, 0);
    assert(served + left == CUSTOMERS);
    return 0;
}
