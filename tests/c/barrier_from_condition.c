#include <pthread.h>
#include <assert.h>
#define N 3
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int arrived, generation, before[N];
static void barrier(void)
{
    pthread_mutex_lock(&m);
    int mine = generation;
    if (++arrived == N) {
        arrived = 0;
        generation++;
        pthread_cond_broadcast(&c);
    } else {
        while (generation == mine) pthread_cond_wait(&c, &m);
    }
    pthread_mutex_unlock(&m);
}
static void *work(void *p)
{
    int i = (int)(long)p;
    before[i] = 1;
    barrier();
    for (int j = 0; j < N; j++) assert(before[j]);
    return 0;
}
int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    return 0;
}
