#include <stdatomic.h>
#include <pthread.h>
#include <stdio.h>

struct spin { atomic_int v; };

#define SPIN_INIT { 0 }

static void spin_lock(struct spin *s)
{
    int zero = 0;
    while (!atomic_compare_exchange_weak_explicit(&s->v, &zero, 1,
                memory_order_acquire, memory_order_relaxed))
        zero = 0;
}

static void spin_unlock(struct spin *s)
{
    atomic_store_explicit(&s->v, 0, memory_order_relaxed);
}

static struct spin lk = SPIN_INIT;
static long shared_total;

static void *add(void *arg)
{
    long n = (long)arg;
    spin_lock(&lk);
    shared_total += n;
    spin_unlock(&lk);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, (void *)3);
    pthread_create(&b, NULL, add, (void *)4);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%ld\n", shared_total);
    return 0;
}
