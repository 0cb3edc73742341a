/* Peterson's algorithm with C11 atomics.  CS 3204, assignment 2. */
#include <stdatomic.h>
#include <pthread.h>
#include <assert.h>
#include <stdio.h>

#define ROUNDS 2

atomic_int flag[2];
atomic_int turn;
int counter = 0;       /* protected by the algorithm */

void enter(int me)
{
    int other = 1 - me;
    atomic_store(&flag[me], 1);
    atomic_store(&turn, other);
    while (atomic_load(&flag[other]) == 1 && atomic_load(&turn) == other)
        ;   /* busy wait */
}

void leave(int me)
{
    atomic_store(&flag[me], 0);
}

void *thread(void *arg)
{
    int me = *((int *)arg);
    for (int i = 0; i < ROUNDS; i++) {
        enter(me);
        counter++;
        leave(me);
    }
    return NULL;
}

int main()
{
    pthread_t t0, t1;
    int zero = 0, one = 1;

    pthread_create(&t0, NULL, thread, &zero);
    pthread_create(&t1, NULL, thread, &one);
    pthread_join(t0, NULL);
    pthread_join(t1, NULL);
    printf("counter = %d (expected %d)\n", counter, 2 * ROUNDS);
    assert(counter == 2 * ROUNDS);
}
