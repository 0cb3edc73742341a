/* Readers of a table that was filled before they began, and two threads that count. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int table[3];
static atomic_int found, events;

static void *search(void *unused)
{
    for (int i = 0; i < 3; i++)
        if (table[i] == 2)
            atomic_fetch_add(&found, 1);
    return unused;
}

static void *count(void *unused)
{
    for (int i = 0; i < 4; i++)
        atomic_fetch_add(&events, 1);
    return unused;
}

int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 3; i++)
        table[i] = i;
    pthread_create(&t[0], 0, search, 0);
    pthread_create(&t[1], 0, search, 0);
    pthread_create(&t[2], 0, count, 0);
    pthread_create(&t[3], 0, count, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(found == 2 && events == 8);
}
