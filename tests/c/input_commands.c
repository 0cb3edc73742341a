/* The input selects the actions of threads; for one value far from all others the lock is missing. */
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int device;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *serve(void *arg)
{
    (void)arg;
    for (;;) {
        switch (__VERIFIER_nondet_int()) {
        case 1:
            pthread_mutex_lock(&lock);
            device++;
            pthread_mutex_unlock(&lock);
            return 0;
        case 70000:
            device = 0;
            break;
        case 2:
            return 0;
        }
    }
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, serve, 0);
    pthread_create(&b, 0, serve, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
