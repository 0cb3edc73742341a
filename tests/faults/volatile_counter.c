/* `n++` of a volatile object is a load and a store, and not one atomic operation. */
#include <assert.h>
#include <pthread.h>
static volatile int n;
static void *work(void *p) { n++; return p; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    n++;
    pthread_join(t, 0);
    assert(n == 2);
    return 0;
}
