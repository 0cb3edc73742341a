/* Two atomic operations are not one atomic operation. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static atomic_int n;
static void *inc(void *arg) { atomic_store(&n, atomic_load(&n) + 1); return 0; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, inc, 0);
    pthread_create(&b, 0, inc, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 2);
    return 0;
}
