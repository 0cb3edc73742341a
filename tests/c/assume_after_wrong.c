/* A violation in another thread before a false assumption is still a violation. */
extern void __VERIFIER_assume(int);
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *set(void *arg)
{
    x = 1;
    __VERIFIER_assume(0);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    assert(x == 0);
    return 0;
}
