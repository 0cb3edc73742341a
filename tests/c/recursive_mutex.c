#include <pthread.h>
#include <assert.h>
static pthread_mutex_t m;
static int depth;
static void enter(int n)
{
    pthread_mutex_lock(&m);
    depth++;
    if (n > 0) enter(n - 1);
    depth--;
    pthread_mutex_unlock(&m);
}
static void *run(void *arg) { enter(2); return 0; }
int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &attr);
    pthread_mutexattr_destroy(&attr);
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(depth == 0);
    return 0;
}
