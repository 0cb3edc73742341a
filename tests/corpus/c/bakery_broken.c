/* Lamport's bakery. The "choosing" flags were removed "for speed". */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define N 2

static atomic_int number[N];
static atomic_int inside;

static int max_number(void)
{
    int m = 0;
    for (int i = 0; i < N; i++) {
        int n = atomic_load(&number[i]);
        if (n > m)
            m = n;
    }
    return m;
}

static void lock(int i)
{
    atomic_store(&number[i], 1 + max_number());
    for (int j = 0; j < N; j++) {
        if (j == i)
            continue;
        for (;;) {
            int nj = atomic_load(&number[j]);
            int ni = atomic_load(&number[i]);
            if (nj == 0 || nj > ni || (nj == ni && j > i))
                break;
        }
    }
}

static void unlock(int i)
{
    atomic_store(&number[i], 0);
}

static void *process(void *arg)
{
    int i = (int)(long)arg;

    lock(i);
    int before = atomic_fetch_add(&inside, 1);
    assert(before == 0);
    atomic_fetch_sub(&inside, 1);
    unlock(i);
    return NULL;
}

int main(void)
{
    pthread_t t[N];

    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, process, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    printf("ok\n");
    return 0;
}
