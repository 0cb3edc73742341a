/* Closing the queue wakes one worker only. */
#include <pthread.h>
static int closed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    while (!closed)
        pthread_cond_wait(&wake, &lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void)
{
    pthread_t w[2];
    for (int i = 0; i < 2; i++) pthread_create(&w[i], 0, worker, 0);
    pthread_mutex_lock(&lock);
    closed = 1;
    pthread_cond_signal(&wake);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++) pthread_join(w[i], 0);
    return 0;
}
