/* Drawing a ticket in two steps returns the same ticket twice. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, serving;
static int sum;

static void *add(void *arg)
{
    unsigned mine = atomic_load(&next);
    atomic_store(&next, mine + 1);
    while (atomic_load(&serving) != mine)
        ;
    sum++;
    atomic_fetch_add(&serving, 1);
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, add, 0);
    pthread_create(&t[1], 0, add, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
