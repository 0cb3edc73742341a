// Two stages of a computation, split by a barrier: the second reads what the neighbours wrote in the first.
#include <assert.h>
#include <pthread.h>
#define N 3
static int first[N], second[N];
static pthread_barrier_t barrier;
static void *stage(void *arg) {
    int i = (int)(long)arg;
    first[i] = i + 1;
    pthread_barrier_wait(&barrier);
    second[i] = first[(i + 1) % N] + first[(i + N - 1) % N];
    return 0;
}
int main(void) {
    pthread_t t[N];
    pthread_barrier_init(&barrier, 0, N);
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, stage, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(second[0] == 5 && second[1] == 4 && second[2] == 3);
    pthread_barrier_destroy(&barrier);
    return 0;
}
