#include <pthread.h>
#ifndef N
#define N 25
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int hits[2];
static void *bump(void *p) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&m);
        ++*(int *)p;
        pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, bump, &hits[0]);
    pthread_create(&b, 0, bump, &hits[1]);
    while (1);
}
