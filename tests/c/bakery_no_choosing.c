/* Without the `choosing` flags two threads may draw the same number and enter together. */
#include <pthread.h>
#include <stdatomic.h>
#define N 2
static atomic_int number[N];
static int counter;

static void *worker(void *arg)
{
    int i = (int)(long)arg, max = 0;
    for (int j = 0; j < N; j++) {
        int n = number[j];
        if (n > max) max = n;
    }
    number[i] = max + 1;
    for (int j = 0; j < N; j++) {
        for (;;) {
            int n = number[j];
            if (n == 0 || n > number[i] || (n == number[i] && j >= i)) break;
        }
    }
    counter++;
    number[i] = 0;
    return 0;
}
int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++) pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    return 0;
}
