// The cigarette smokers problem: an agent offers two of three ingredients, helpers determine the next smoker (Parnas).
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t agent, thing[2], smoker[2];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int smoked;
static void *helper(void *arg) {
    int which = (int)(long)arg;
    sem_wait(&thing[which]);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    sem_post(&smoker[which]);
    return 0;
}
static void *smoke(void *arg) {
    int which = (int)(long)arg;
    sem_wait(&smoker[which]);
    pthread_mutex_lock(&m);
    smoked++;
    pthread_mutex_unlock(&m);
    sem_post(&agent);
    return 0;
}
int main(void) {
    pthread_t h[2], s[2];
    sem_init(&agent, 0, 1);
    for (int i = 0; i < 2; i++) {
        sem_init(&thing[i], 0, 0);
        sem_init(&smoker[i], 0, 0);
    }
    for (long i = 0; i < 2; i++) {
        pthread_create(&h[i], 0, helper, (void *)i);
        pthread_create(&s[i], 0, smoke, (void *)i);
    }
    for (int i = 0; i < 2; i++) {
        sem_wait(&agent);
        sem_post(&thing[i]);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(h[i], 0);
        pthread_join(s[i], 0);
    }
    assert(smoked == 2);
    return 0;
}
