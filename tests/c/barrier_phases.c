#include <pthread.h>
#include <assert.h>
#define N 2
static pthread_barrier_t barrier;
static int data[N], serial;
static void *work(void *arg)
{
    int i = (int)(long)arg;
    data[i] = i + 1;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) serial++;
    assert(data[1 - i] == 2 - i);
    return 0;
}
int main(void)
{
    pthread_t t[N];
    pthread_barrier_init(&barrier, 0, N);
    for (long i = 0; i < N; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    assert(serial == 1);
    pthread_barrier_destroy(&barrier);
    return 0;
}
