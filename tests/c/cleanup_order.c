/* pthread_exit runs the cleanup handlers in reverse order while the thread's variables are live, then the destructors. */
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int order;

static void digit(void *arg) { order = order * 10 + *(int *)arg; }
static void last(void *arg) { order = order * 10 + *(int *)arg; }

static void deep(int *two) {
    pthread_cleanup_push(digit, two);
    pthread_exit(two);
    pthread_cleanup_pop(0);
}

static void *work(void *arg) {
    int one = 1, two = 2, four = 4;
    pthread_setspecific(key, arg);
    pthread_cleanup_push(digit, &four)
    pthread_cleanup_pop(0);
    pthread_cleanup_push(digit, &one);
    deep(&two);
    pthread_cleanup_pop(0);
    return 0;
}

int main(void) {
    pthread_t thread;
    int three = 3;
    pthread_key_create(&key, last);
    pthread_create(&thread, 0, work, &three);
    pthread_join(thread, 0);
    assert(order == 213);
    return 0;
}
