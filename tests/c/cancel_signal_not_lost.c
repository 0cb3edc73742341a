/* Two threads wait, one of them is cancelled: the signal reaches the other, or one that consumes it and is cancelled later. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int tokens, taken;

static void unlock(void *arg) { pthread_mutex_unlock(arg); }

static void *take(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    while (tokens == 0)
        pthread_cond_wait(&ready, &lock);
    tokens--;
    taken++;
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, take, 0);
    pthread_create(&b, 0, take, 0);
    pthread_mutex_lock(&lock);
    tokens = 2;
    pthread_cond_broadcast(&ready);
    pthread_mutex_unlock(&lock);
    pthread_cancel(a);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(taken + tokens == 2 && taken >= 1);
    return 0;
}
