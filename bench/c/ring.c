// Leader election (Chang and Roberts) on a ring of six nodes with links of two slots; compare ring.pml.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NODES 6

static atomic_int link_value[NODES], link_full[NODES], leaders;
static int numbers[NODES] = {2, 5, 1, 4, 3, 6};

static void put(int at, int value) {
    while (link_full[at])
        ;
    link_value[at] = value;
    link_full[at] = 1;
}

static int take(int at) {
    while (!link_full[at])
        ;
    int value = link_value[at];
    link_full[at] = 0;
    return value;
}

static void *node(void *arg) {
    int me = *(int *)arg;
    int next = (me + 1) % NODES;
    put(next, numbers[me]);
    for (;;) {
        int got = take(me);
        if (got == 0) {
            put(next, 0);
            return 0;
        }
        if (got > numbers[me])
            put(next, got);
        if (got == numbers[me]) {
            leaders++;
            assert(leaders == 1 && got == NODES);
            put(next, 0);
            take(me);
            return 0;
        }
    }
}

int main(void) {
    pthread_t t[NODES];
    int me[NODES];
    for (int i = 0; i < NODES; i++) {
        me[i] = i;
        pthread_create(&t[i], 0, node, &me[i]);
    }
    for (int i = 0; i < NODES; i++)
        pthread_join(t[i], 0);
    return 0;
}
