/* Two counters of tickets, each with two threads that take tickets by compare-and-exchange. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int hall, desk;

static void *queue_in_hall(void *unused)
{
    int seen = 0;
    if (!atomic_compare_exchange_strong(&hall, &seen, 1))
        atomic_compare_exchange_strong(&hall, &seen, 2);
    return unused;
}

static void *queue_at_desk(void *unused)
{
    int seen = 0;
    if (!atomic_compare_exchange_strong(&desk, &seen, 1))
        atomic_compare_exchange_strong(&desk, &seen, 2);
    return unused;
}

int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], 0, queue_in_hall, 0);
    pthread_create(&t[1], 0, queue_in_hall, 0);
    pthread_create(&t[2], 0, queue_at_desk, 0);
    pthread_create(&t[3], 0, queue_at_desk, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(hall == 2 && desk == 2);
}
