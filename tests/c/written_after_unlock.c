/* One thread writes under the lock, the other after releasing it. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *late(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
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
