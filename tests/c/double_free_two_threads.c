#include <pthread.h>
#include <stdlib.h>
static int *p;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *drop(void *arg)
{
    pthread_mutex_lock(&lock);
    if (p) free(p);
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void)
{
    pthread_t a, b;
    p = malloc(4);
    pthread_create(&a, 0, drop, 0);
    pthread_create(&b, 0, drop, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
