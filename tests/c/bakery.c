#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#define N 2
static atomic_int choosing[N], number[N];
static int counter;

static void lock(int i)
{
    choosing[i] = 1;
    int max = 0;
    for (int j = 0; j < N; j++) {
        int n = number[j];
        if (n > max) max = n;
    }
    number[i] = max + 1;
    choosing[i] = 0;
    for (int j = 0; j < N; j++) {
        while (choosing[j]) ;
        for (;;) {
            int n = number[j];
            if (n == 0 || n > number[i] || (n == number[i] && j >= i)) break;
        }
    }
}
static void unlock(int i) { number[i] = 0; }
static void *worker(void *arg)
{
    int i = (int)(long)arg;
    lock(i);
    int c = counter;
    counter = c + 1;
    unlock(i);
    return 0;
}
int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++) pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    assert(counter == N);
    return 0;
}
