// The flag of a future is tested without the lock.
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, value;
static void *compute(void *arg) {
    pthread_mutex_lock(&lock);
    ready = 1;
    value = 42;
    pthread_mutex_unlock(&lock);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, compute, 0);
    int got = 0;
    if (ready)
        got = value;
    pthread_join(t, 0);
    return got;
}
