/* The consumer checks the condition with `if` instead of a loop: a wakeup does not imply that there is an item. */
#include <pthread.h>
#include <assert.h>

static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;

static void *consumer(void *arg)
{
    pthread_mutex_lock(&lock);
    if (count == 0)
        pthread_cond_wait(&filled, &lock);
    assert(count > 0);
    count--;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *producer(void *arg)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        count++;
        pthread_cond_broadcast(&filled);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, consumer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_create(&c, 0, producer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
