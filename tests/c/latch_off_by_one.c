// The latch opens one worker too early.
#include <pthread.h>
#define WORKERS 2
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t zero = PTHREAD_COND_INITIALIZER;
static int count = WORKERS, result[WORKERS];
static void *worker(void *arg) {
    int *mine = arg;
    *mine = 1;
    pthread_mutex_lock(&lock);
    if (--count <= 1)
        pthread_cond_broadcast(&zero);
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void) {
    pthread_t t[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&t[i], 0, worker, &result[i]);
    pthread_mutex_lock(&lock);
    while (count > 1)
        pthread_cond_wait(&zero, &lock);
    pthread_mutex_unlock(&lock);
    int sum = result[0] + result[1];
    for (int i = 0; i < WORKERS; i++)
        pthread_join(t[i], 0);
    return sum;
}
