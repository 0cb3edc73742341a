/* A thread whose number does not fit into a set of 64 ends while two others run and the rest wait. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
atomic_int value;

static void *wait(void *arg) {
    pthread_mutex_lock(&held);
    return arg;
}

static void *count(void *arg) {
    value++;
    value++;
    return arg;
}

static void *end(void *arg) {
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&held);
    for (int i = 0; i < 62; i++)
        pthread_create(&thread, 0, wait, 0);
    pthread_create(&thread, 0, count, 0);
    pthread_create(&thread, 0, end, 0);
    value--;
    assert(value != 1);
    return 0;
}
