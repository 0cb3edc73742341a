/* A ring buffer in a struct, with two semaphores and a lock, passed to producers and consumers. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#define SIZE 4
#define ITEMS 4
#define PAIRS 2

struct ring {
    int slots[SIZE];
    unsigned in, out;
    sem_t empty, full;
    pthread_mutex_t lock;
};

struct party {
    struct ring *ring;
    int id;
    long sum;
};

static void put(struct ring *r, int value)
{
    sem_wait(&r->empty);
    pthread_mutex_lock(&r->lock);
    r->slots[r->in] = value;
    r->in = (r->in + 1) % SIZE;
    pthread_mutex_unlock(&r->lock);
    sem_post(&r->full);
}

static int get(struct ring *r)
{
    sem_wait(&r->full);
    pthread_mutex_lock(&r->lock);
    int value = r->slots[r->out];
    r->out = (r->out + 1) % SIZE;
    pthread_mutex_unlock(&r->lock);
    sem_post(&r->empty);
    return value;
}

static void *produce(void *arg)
{
    struct party *p = arg;
    for (int i = 1; i <= ITEMS; i++)
        put(p->ring, i);
    return NULL;
}

static void *consume(void *arg)
{
    struct party *p = arg;
    for (int i = 0; i < ITEMS; i++)
        p->sum += get(p->ring);
    return NULL;
}

int main(void)
{
    struct ring *ring = calloc(1, sizeof *ring);
    struct party parties[2 * PAIRS];
    pthread_t t[2 * PAIRS];
    long sum = 0;
    sem_init(&ring->empty, 0, SIZE);
    sem_init(&ring->full, 0, 0);
    pthread_mutex_init(&ring->lock, NULL);
    for (int i = 0; i < 2 * PAIRS; i++) {
        parties[i] = (struct party){ ring, i, 0 };
        pthread_create(&t[i], NULL, i % 2 ? consume : produce, &parties[i]);
    }
    for (int i = 0; i < 2 * PAIRS; i++) {
        pthread_join(t[i], NULL);
        sum += parties[i].sum;
    }
    assert(sum == PAIRS * ITEMS * (ITEMS + 1) / 2);
    sem_destroy(&ring->empty);
    sem_destroy(&ring->full);
    pthread_mutex_destroy(&ring->lock);
    free(ring);
    return 0;
}
