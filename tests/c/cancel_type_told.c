/* pthread_setcanceltype returns the previous cancellation type of the calling thread. */
#include <assert.h>
#include <pthread.h>

static void *ask(void *unused) {
    int before = -1;
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &before);
    assert(before == PTHREAD_CANCEL_DEFERRED);
    return unused;
}

int main(void) {
    pthread_t thread;
    int before = -1;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before);
    assert(before == PTHREAD_CANCEL_DEFERRED);
    pthread_create(&thread, NULL, ask, NULL);
    pthread_join(thread, NULL);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &before);
    assert(before == PTHREAD_CANCEL_ASYNCHRONOUS);
    return 0;
}
