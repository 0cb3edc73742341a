// The consumer checks the condition before it acquires the lock: the signal may be sent in between and is lost.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static atomic_int items;

static void *produce(void *arg) {
    items++;
    pthread_cond_signal(&filled);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, produce, 0);
    if (items == 0) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&filled, &lock);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(t, 0);
    return 0;
}
