#include <pthread.h>
#include <assert.h>

#define SIZE 2
#define ITEMS 3

struct buffer {
    int items[SIZE];
    unsigned head, count;
    pthread_mutex_t lock;
    pthread_cond_t not_full, not_empty;
};

static struct buffer b = { .lock = PTHREAD_MUTEX_INITIALIZER, .not_full = PTHREAD_COND_INITIALIZER,
                           .not_empty = PTHREAD_COND_INITIALIZER };

static void put(struct buffer *q, int v)
{
    pthread_mutex_lock(&q->lock);
    while (q->count == SIZE)
        pthread_cond_wait(&q->not_full, &q->lock);
    q->items[(q->head + q->count++) % SIZE] = v;
    pthread_cond_signal(&q->not_empty);
    pthread_mutex_unlock(&q->lock);
}

static int get(struct buffer *q)
{
    pthread_mutex_lock(&q->lock);
    while (q->count == 0)
        pthread_cond_wait(&q->not_empty, &q->lock);
    int v = q->items[q->head];
    q->head = (q->head + 1) % SIZE;
    q->count--;
    pthread_cond_signal(&q->not_full);
    pthread_mutex_unlock(&q->lock);
    return v;
}

static void *producer(void *arg)
{
    for (int i = 0; i < ITEMS; i++)
        put(&b, i);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, producer, 0);
    for (int i = 0; i < ITEMS; i++)
        assert(get(&b) == i);
    pthread_join(t, 0);
    return 0;
}
