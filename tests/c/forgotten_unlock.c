#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value;
static int try_set(int v)
{
    pthread_mutex_lock(&m);
    if (v < 0) return -1;
    value = v;
    pthread_mutex_unlock(&m);
    return 0;
}
static void *one(void *a) { try_set(-1); return 0; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    try_set(1);
    pthread_join(t, 0);
    return value;
}
