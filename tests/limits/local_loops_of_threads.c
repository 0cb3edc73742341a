#include <pthread.h>
int shared;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
    for (;;) {
        unsigned x = 1;
        for (unsigned i = 0; i < 100000; i++) x = x * 3 + i;
        pthread_mutex_lock(&m);
        shared += (int)(x & 3);
        pthread_mutex_unlock(&m);
    }
    return arg;
}
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    return 0;
}
