/* Two threads wait for different conditions on one condition variable: the signal for the first may wake the second. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int given[2];

static void *take(void *arg) {
    int *mine = arg;
    pthread_mutex_lock(&lock);
    while (!*mine)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, take, &given[i]);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        given[i] = 1;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
        pthread_join(threads[i], 0);
    }
    return 0;
}
