/* Between two cancellation points a thread is not cancelled; where it prints it may be. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int begun, ended, printed;

static void *work(void *unused) {
    begun = 1;
    ended = 1;
    puts("halfway");
    printed = 1;
    pthread_testcancel();
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, work, 0);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(begun == ended);
    if (!printed)
        assert(result == PTHREAD_CANCELED);
    return 0;
}
