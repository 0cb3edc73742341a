#include <pthread.h>
#include <stdlib.h>
struct task { int n; };
static struct task *slot;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *consumer(void *arg)
{
    pthread_mutex_lock(&lock);
    free(slot);
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void)
{
    pthread_t t;
    int n;
    slot = malloc(sizeof *slot);
    slot->n = 1;
    pthread_create(&t, 0, consumer, 0);
    pthread_mutex_lock(&lock);
    n = slot->n;
    pthread_mutex_unlock(&lock);
    pthread_join(t, 0);
    return n - 1;
}
