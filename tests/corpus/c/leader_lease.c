/* Leader election with a shared lease word: term << 8 | owner. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#define NODES   2
#define NO_LEADER  0xffu

static _Atomic uint32_t lease = NO_LEADER;
static atomic_int       leaders;

static uint32_t owner(uint32_t w) { return w & 0xffu; }
static uint32_t term(uint32_t w)  { return w >> 8; }

static int campaign(uint32_t self)
{
    uint32_t cur = atomic_load(&lease);

    if (owner(cur) != NO_LEADER)
        return 0;
    atomic_store(&lease, (term(cur) + 1) << 8 | self);
    return owner(atomic_load(&lease)) == self;
}

static void resign(void)
{
    uint32_t cur = atomic_load(&lease);
    atomic_store(&lease, (cur & ~0xffu) | NO_LEADER);
}

static void *node(void *arg)
{
    uint32_t self = (uint32_t)(uintptr_t)arg;

    if (campaign(self)) {
        int others = atomic_fetch_add(&leaders, 1);
        assert(others == 0);            /* at most one leader */
        atomic_fetch_sub(&leaders, 1);
        resign();
    }
    return NULL;
}

int main(void)
{
    pthread_t t[NODES];

    for (uintptr_t i = 0; i < NODES; i++)
        pthread_create(&t[i], NULL, node, (void *)i);
    for (int i = 0; i < NODES; i++)
        pthread_join(t[i], NULL);
    printf("last term: %u\n", (unsigned)term(atomic_load(&lease)));
    return 0;
}
