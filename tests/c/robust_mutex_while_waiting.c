/* A thread that returns from a condition wait also gets EOWNERDEAD. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void *careless(void *unused) {
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_cond_signal(&changed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_t kind;
    int left = 0;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &kind);
    pthread_mutex_lock(&lock);
    pthread_create(&thread, 0, careless, 0);
    while (!done)
        left = pthread_cond_wait(&changed, &lock);
    assert(left == EOWNERDEAD);
    pthread_mutex_consistent(&lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
