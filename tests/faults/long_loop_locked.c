#include <pthread.h>
#ifndef N
#define N 200
#endif
static int hits;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *bump(void *p) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&m);
        hits++;
        pthread_mutex_unlock(&m);
    }
    return p;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, bump, 0);
    pthread_create(&b, 0, bump, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
