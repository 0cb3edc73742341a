#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
static pthread_key_t key;
static int destroyed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void destroy(void *p)
{
    pthread_mutex_lock(&lock);
    destroyed++;
    pthread_mutex_unlock(&lock);
    free(p);
}
static void *worker(void *arg)
{
    int *p = malloc(sizeof *p);
    *p = (int)(long)arg;
    pthread_setspecific(key, p);
    assert(*(int *)pthread_getspecific(key) == (int)(long)arg);
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_key_create(&key, destroy);
    pthread_create(&a, 0, worker, (void *)1);
    pthread_create(&b, 0, worker, (void *)2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(destroyed == 2);
    return 0;
}
