#include <stdatomic.h>
#include <pthread.h>

/* Peterson lock between an interrupt handler thread and the main loop. */

static atomic_bool want[2];
static atomic_int  victim;
static int         ticks;           /* shared */

static void lock(int self)
{
    atomic_store(&victim, self);
    atomic_store(&want[self], 1);
    while (atomic_load(&want[!self]) && atomic_load(&victim) == self) {
        /* spin */
    }
}

static void unlock(int self)
{
    atomic_store(&want[self], 0);
}

static void *handler(void *unused)
{
    (void)unused;
    lock(1);
    ticks = ticks + 1;
    unlock(1);
    return NULL;
}

int main(void)
{
    pthread_t irq;
    int seen;

    pthread_create(&irq, NULL, handler, NULL);
    lock(0);
    seen = ticks;
    unlock(0);
    pthread_join(irq, NULL);
    return seen > 1;
}
