/* Two pairs of threads that exchange flags; the second pair waits in a loop. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ping, pong, ready, seen;

static void *send_ping(void *unused) { atomic_store(&ping, 1); atomic_load(&pong); return unused; }
static void *send_pong(void *unused) { atomic_store(&pong, 1); atomic_load(&ping); return unused; }
static void *announce(void *unused) { atomic_store(&ready, 1); return unused; }

static void *await(void *unused)
{
    while (!atomic_load(&ready))
        ;
    atomic_store(&seen, 1);
    return unused;
}

int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], 0, send_ping, 0);
    pthread_create(&t[1], 0, send_pong, 0);
    pthread_create(&t[2], 0, announce, 0);
    pthread_create(&t[3], 0, await, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(ping && pong && seen);
}
