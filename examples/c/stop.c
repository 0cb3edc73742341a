// The worker counts until the stop flag is set.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int stop, rounds;
static void *worker(void *arg) {
    while (!stop)
        rounds = (rounds + 1) % 3;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    stop = 1;
    pthread_join(t, 0);
    return 0;
}
