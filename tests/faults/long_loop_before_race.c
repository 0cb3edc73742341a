#include <pthread.h>
#ifndef N
#define N 100000
#endif
/* The race comes after a long loop in which each thread writes what is its own. */
static int hits, own[2];
static void *bump(void *p) {
    int *mine = p;
    for (int i = 0; i < N; i++) *mine += i & 1;
    hits++;
    return p;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, bump, own);
    pthread_create(&b, 0, bump, own + 1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
