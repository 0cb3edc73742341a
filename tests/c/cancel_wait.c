/* A thread that waits for a condition is cancelled: it holds the mutex when its cleanup handlers run. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int given, cleaned;

static void clean(void *arg) {
    cleaned++;
    free(arg);
    pthread_mutex_unlock(&lock);
}

static void *wait_for_it(void *unused) {
    int *block = malloc(sizeof *block);
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(clean, block);
    while (!given)
        pthread_cond_wait(&ready, &lock);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, wait_for_it, 0);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
    pthread_mutex_lock(&lock);
    assert(cleaned == 1);
    pthread_mutex_unlock(&lock);
    return 0;
}
