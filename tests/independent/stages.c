/* Two pipelines of two stages, connected by semaphores. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t north, south;
static int north_data, south_data, north_seen, south_seen;

static void *send_north(void *unused)
{
    north_data = 1;
    sem_post(&north);
    return unused;
}

static void *take_north(void *unused)
{
    sem_wait(&north);
    north_seen = north_data;
    return unused;
}

static void *send_south(void *unused)
{
    south_data = 2;
    sem_post(&south);
    return unused;
}

static void *take_south(void *unused)
{
    sem_wait(&south);
    south_seen = south_data;
    return unused;
}

int main(void)
{
    pthread_t t[4];
    sem_init(&north, 0, 0);
    sem_init(&south, 0, 0);
    pthread_create(&t[0], 0, send_north, 0);
    pthread_create(&t[1], 0, take_north, 0);
    pthread_create(&t[2], 0, send_south, 0);
    pthread_create(&t[3], 0, take_south, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(north_seen == 1 && south_seen == 2);
}
