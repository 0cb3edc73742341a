// Two threads pass a token to each other in infinite loops.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int token;
static void *pass(void *arg) {
    int me = (int)(long)arg;
    for (;;)
        if (token == me)
            token = 1 - me;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, pass, (void *)1L);
    pass((void *)0L);
    return 0;
}
