#include <pthread.h>
#ifndef N
#define N 100
#endif
/* Both threads wait under a lock for a flag that no thread sets, after a long time in which all that they
   do is done under the lock too. */
static int taken, flag;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p) {
    pthread_mutex_lock(&m);
    while (taken < N) {
        taken++;
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
    }
    while (!flag) {
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
    }
    pthread_mutex_unlock(&m);
    return p;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
