/* A wait with a deadline in the past times out, independent of other events. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int steps;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    steps++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec past = { 0, 0 };
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&lock);
    assert(pthread_cond_timedwait(&changed, &lock, &past) == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
