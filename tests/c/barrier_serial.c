/* Exactly one of the waiting threads gets PTHREAD_BARRIER_SERIAL_THREAD; it may be any of them. */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int chosen[3];

static void *meet(void *arg)
{
    int *mine = arg;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        *mine = 1;
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_barrier_init(&barrier, 0, 3);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, meet, &chosen[i]);
    meet(&chosen[2]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(chosen[0] + chosen[1] + chosen[2] == 1);
    return 0;
}
