/* Threads that wait actively for each other, and a temporal property. */
#include <pthread.h>
#include <stdatomic.h>
atomic_int turn, n;
static void *work(void *arg) {
    int me = (int)(long)arg;
    for (;;) { while (turn % 3 != me) { } n++; turn++; }
    return arg;
}
int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    return 0;
}
