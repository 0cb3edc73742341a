/* Two threads add to a 128-bit counter without a lock. */
#include <pthread.h>
static unsigned __int128 total;
static void *work(void *p) {
    total += 1;
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
