extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
#include <pthread.h>
#include <assert.h>
static int n;
static void *inc(void *a)
{
    __VERIFIER_atomic_begin();
    n = n + 1;
    __VERIFIER_atomic_end();
    return 0;
}
static void __VERIFIER_atomic_add(int k) { int t = n; n = t + k; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, inc, 0);
    __VERIFIER_atomic_add(2);
    pthread_join(t, 0);
    assert(n == 3);
    return 0;
}
