/* One condition variable for two conditions, and signal instead of broadcast: the wrong thread may be woken. */
#include <pthread.h>

static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *producer(void *arg)
{
    pthread_mutex_lock(&lock);
    while (count == 1)
        pthread_cond_wait(&changed, &lock);
    count++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *consumer(void *arg)
{
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&changed, &lock);
    count--;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], 0, consumer, 0);
    pthread_create(&t[1], 0, consumer, 0);
    pthread_create(&t[2], 0, producer, 0);
    pthread_create(&t[3], 0, producer, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    return 0;
}
