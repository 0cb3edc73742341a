/* The action after the output may not happen: printing may be a cancellation point. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int printed;

static void *work(void *unused) {
    puts("halfway");
    printed = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_cancel(thread);
    pthread_join(thread, 0);
    assert(printed);
    return 0;
}
