#include <pthread.h>
#ifndef N
#define N 150
#endif
/* The loops have no counter of their own: each ends when the number that both threads have reached is
   large enough. */
static int taken, done[2];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p) {
    int *mine = p;
    for (;;) {
        pthread_mutex_lock(&m);
        if (taken == N) break;
        taken++;
        ++*mine;
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, &done[0]);
    pthread_create(&b, 0, work, &done[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return done[0] + done[1] != N;
}
