#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define NTHREADS 3

struct ticket_lock {
    _Atomic uint32_t next_ticket;
    _Atomic uint32_t now_serving;
};

#define TICKET_LOCK_INITIALIZER { 0, 0 }

static void ticket_lock(struct ticket_lock *l)
{
    uint32_t my = atomic_fetch_add(&l->next_ticket, 1);
    while (atomic_load(&l->now_serving) != my)
        sched_yield();
}

static void ticket_unlock(struct ticket_lock *l)
{
    atomic_fetch_add(&l->now_serving, 1);
}

static struct ticket_lock lock = TICKET_LOCK_INITIALIZER;
static int sequence[NTHREADS];
static int pos;

static void *run(void *arg)
{
    int self = (int)(intptr_t)arg;

    ticket_lock(&lock);
    sequence[pos] = self;
    pos = pos + 1;
    ticket_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t th[NTHREADS];
    int seen[NTHREADS] = { 0 };

    for (int i = 0; i < NTHREADS; i++) {
        int err = pthread_create(&th[i], NULL, run, (void *)(intptr_t)i);
        if (err != 0) {
            fprintf(stderr, "pthread_create: %d\n", err);
            exit(1);
        }
    }
    for (int i = 0; i < NTHREADS; i++)
        pthread_join(th[i], NULL);

    assert(pos == NTHREADS);
    for (int i = 0; i < NTHREADS; i++)
        seen[sequence[i]]++;
    for (int i = 0; i < NTHREADS; i++)
        assert(seen[i] == 1);
    return 0;
}
