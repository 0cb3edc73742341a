// Hydrogen and oxygen threads form molecules, but an oxygen does not wait for its second hydrogen.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t hydrogen, bond;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int atoms;
static void *h(void *arg) {
    pthread_mutex_lock(&m);
    atoms++;
    pthread_mutex_unlock(&m);
    sem_post(&hydrogen);
    sem_wait(&bond);
    return arg;
}
static void *o(void *arg) {
    sem_wait(&hydrogen);
    pthread_mutex_lock(&m);
    assert(atoms == 2);
    pthread_mutex_unlock(&m);
    sem_post(&bond);
    sem_post(&bond);
    return arg;
}
int main(void) {
    pthread_t a, b, c;
    sem_init(&hydrogen, 0, 0);
    sem_init(&bond, 0, 0);
    pthread_create(&a, 0, h, 0);
    pthread_create(&b, 0, h, 0);
    pthread_create(&c, 0, o, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
