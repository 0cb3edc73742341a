/* On one path to the access the lock was released. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, early;
static void *work(void *arg)
{
    pthread_mutex_lock(&m);
    if (x == 1) {
        pthread_mutex_unlock(&m);
        x = 5;
        return arg;
    }
    x++;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    return early;
}
