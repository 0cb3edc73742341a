/* An atomic section excludes other atomic sections, but not accesses outside of any. */
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x;

static void *careful(void *arg)
{
    __VERIFIER_atomic_begin();
    x++;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, careful, 0);
    x = 5;
    pthread_join(t, 0);
    return 0;
}
