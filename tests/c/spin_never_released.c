#include <pthread.h>
#include <stdatomic.h>
static atomic_flag lock = ATOMIC_FLAG_INIT;
static int n;
static void *inc(void *arg)
{
    while (atomic_flag_test_and_set(&lock)) ;
    n++;
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, inc, 0);
    pthread_create(&b, 0, inc, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
