// An unsigned counter is tested and decremented in two steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint left = 1;
static void *worker(void *arg) {
    if (left > 0)
        left--;
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(left == 0);
    return 0;
}
