/* Two threads wait for one condition variable, each with a mutex of its own: undefined, and not modelled. */
#include <pthread.h>

static pthread_mutex_t m[2];
static pthread_cond_t c;
static int go;

static void *wait(void *arg)
{
    pthread_mutex_t *mine = arg;
    pthread_mutex_lock(mine);
    if (!go)
        pthread_cond_wait(&c, mine);
    pthread_mutex_unlock(mine);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, wait, &m[i]);
    pthread_mutex_lock(&m[0]);
    pthread_mutex_lock(&m[1]);
    go = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m[1]);
    pthread_mutex_unlock(&m[0]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
