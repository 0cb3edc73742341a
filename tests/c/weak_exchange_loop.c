/* Spurious failures are harmless in a loop. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int total;

static void *add(void *arg)
{
    int old = total;
    while (!atomic_compare_exchange_weak(&total, &old, old + 1))
        ;
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(total == 2);
    return 0;
}
