#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#define N 2
static atomic_int waiting, sense;
static int phase[N];
static void barrier(int *local)
{
    *local = !*local;
    if (atomic_fetch_add(&waiting, 1) == N - 1) {
        atomic_store(&waiting, 0);
        atomic_store(&sense, *local);
    } else {
        while (atomic_load(&sense) != *local) ;
    }
}
static void *work(void *arg)
{
    int i = (int)(long)arg, local = 0;
    for (int p = 1; p <= 2; p++) {
        phase[i] = p;
        barrier(&local);
        assert(phase[1 - i] == p);
        barrier(&local);
    }
    return 0;
}
int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    return 0;
}
