/* The counter is read and written after the lock that protects it was released. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, counter;

static void *count(void *unused) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_mutex_unlock(&lock);
    counter++;
    return unused;
}

int main(void) {
    pthread_t thread;
    int known = 0, is_ready;
    pthread_create(&thread, 0, count, 0);
    pthread_mutex_lock(&lock);
    is_ready = ready;
    pthread_mutex_unlock(&lock);
    if (is_ready)
        known = counter;
    pthread_join(thread, 0);
    counter = 0;
    return known > 1;
}
