#include <pthread.h>
#include <errno.h>
#include <time.h>
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static void *setter(void *arg)
{
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void)
{
    pthread_t t;
    struct timespec until = { 0, 0 };
    int r = 0;
    pthread_create(&t, 0, setter, 0);
    pthread_mutex_lock(&m);
    while (!ready && r != ETIMEDOUT) r = pthread_cond_timedwait(&c, &m, &until);
    assert(ready || r == ETIMEDOUT);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
