/* No other thread runs while a thread is inside an atomic section: waiting for a lock there blocks forever. */
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *inside(void *arg)
{
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, inside, 0);
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    pthread_join(t, 0);
    return 0;
}
