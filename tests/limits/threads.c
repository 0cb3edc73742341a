/* Many threads that all write shared variables. */
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
static void *work(void *arg) {
    for (int i = 0; i < 100; i++) { x += i; y = x * 3; }
    return arg;
}
int main(void) {
    pthread_t t[12];
    for (int i = 0; i < 12; i++) pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 12; i++) pthread_join(t[i], 0);
    return 0;
}
