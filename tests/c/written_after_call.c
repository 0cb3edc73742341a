/* The same, where the called function releases the lock. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void give_back(void) { pthread_mutex_unlock(&lock); }

static void *late(void *unused) {
    pthread_mutex_lock(&lock);
    give_back();
    value = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, late, 0);
    pthread_mutex_lock(&lock);
    value = 2;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
