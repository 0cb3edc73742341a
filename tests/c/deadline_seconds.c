/* A deadline some seconds from now: the current time does not matter. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *prepare(void *unused) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec until;
    int late = 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 2;
    pthread_create(&thread, 0, prepare, 0);
    pthread_mutex_lock(&lock);
    while (!ready && !late)
        late = pthread_cond_timedwait(&changed, &lock, &until);
    assert(ready || late == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
