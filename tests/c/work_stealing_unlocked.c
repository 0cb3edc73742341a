// The owner takes from its own queue without the lock that stealing workers hold.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int top, bottom = 1, done;
static void *owner(void *arg) {
    if (bottom > top) {
        bottom--;
        done++;
    }
    return arg;
}
static void *thief(void *arg) {
    pthread_mutex_lock(&lock);
    if (bottom > top) {
        top++;
        done++;
    }
    pthread_mutex_unlock(&lock);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, owner, 0);
    pthread_create(&b, 0, thief, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(done == 1);
    return 0;
}
