/* The assertion in the destructor fails: the threads add under different locks. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n;
__attribute__((destructor)) static void last(void) { assert(n == 2); }
static void *worker(void *arg) { (void)arg; int seen = n; n = seen + 1; return 0; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
