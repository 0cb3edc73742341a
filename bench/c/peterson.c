// Peterson's lock for two threads, acquired repeatedly; compare peterson.pml.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ROUNDS 200

static atomic_int wants[2], turn, inside;

static void *visit(void *arg) {
    int me = *(int *)arg;
    for (int i = 0; i < ROUNDS; i++) {
        wants[me] = 1;
        turn = 1 - me;
        while (wants[1 - me] && turn == 1 - me)
            ;
        inside++;
        assert(inside == 1);
        inside--;
        wants[me] = 0;
    }
    return 0;
}

int main(void) {
    pthread_t t[2];
    int me[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, visit, &me[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
