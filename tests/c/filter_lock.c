// Peterson's algorithm for several threads, the filter lock (Peterson, 1981).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define N 2
static atomic_int level[N], victim[N];
static int counter;
static void lock(int me) {
    for (int l = 1; l < N; l++) {
        atomic_store(&level[me], l);
        atomic_store(&victim[l], me);
        for (int other = 0; other < N; other++) {
            while (other != me && atomic_load(&level[other]) >= l && atomic_load(&victim[l]) == me)
                ;
        }
    }
}
static void unlock(int me) { atomic_store(&level[me], 0); }
static void *worker(void *arg) {
    int me = (int)(long)arg;
    lock(me);
    counter++;
    unlock(me);
    return 0;
}
int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(counter == N);
    return 0;
}
