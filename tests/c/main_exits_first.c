/* main ends by pthread_exit: the other threads continue. */
#include <pthread.h>
#include <assert.h>
static int n;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *f(void *a)
{
    pthread_mutex_lock(&m);
    n++;
    assert(n <= 2);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void)
{
    pthread_t t;
    for (int i = 0; i < 2; i++) { pthread_create(&t, 0, f, 0); pthread_detach(t); }
    pthread_exit(0);
}
