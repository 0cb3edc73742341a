/* The flag is set after the turn is given away: both may enter. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

static atomic_int flag[2], turn;
static atomic_int inside;

static void *process(void *arg)
{
    int me = (int)(long)arg, other = 1 - me;
    atomic_store(&turn, other);
    atomic_store(&flag[me], 1);
    while (atomic_load(&flag[other]) && atomic_load(&turn) == other)
        ;
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    atomic_store(&flag[me], 0);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, process, (void *)0);
    pthread_create(&b, 0, process, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
