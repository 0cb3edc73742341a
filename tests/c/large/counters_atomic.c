/* Statistics: threads count in their own struct, and add it to atomic totals from time to time. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 4
#define ROUNDS 100
#define FLUSH 50

static atomic_long total;
static atomic_int finished;

struct stats {
    long events, bytes;
    int id;
};

static void *count(void *arg)
{
    struct stats *s = arg;
    long pending = 0;
    for (int i = 1; i <= ROUNDS; i++) {
        s->events++;
        s->bytes += i * (s->id + 1);
        pending++;
        if (i % FLUSH == 0) {
            atomic_fetch_add(&total, pending);
            pending = 0;
        }
    }
    atomic_fetch_add(&finished, 1);
    return 0;
}

int main(void)
{
    pthread_t t[THREADS];
    struct stats stats[THREADS] = { { 0 } };
    for (int i = 0; i < THREADS; i++) {
        stats[i].id = i;
        pthread_create(&t[i], 0, count, &stats[i]);
    }
    long events = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(t[i], 0);
        events += stats[i].events;
    }
    assert(finished == THREADS);
    assert(total == events && events == THREADS * ROUNDS);
    return 0;
}
