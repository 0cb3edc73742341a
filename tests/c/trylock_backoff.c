#include <pthread.h>
#include <sched.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int shared;
static void both(pthread_mutex_t *x, pthread_mutex_t *y)
{
    for (;;) {
        pthread_mutex_lock(x);
        if (pthread_mutex_trylock(y) == 0) break;
        pthread_mutex_unlock(x);
        sched_yield();
    }
    shared++;
    pthread_mutex_unlock(y);
    pthread_mutex_unlock(x);
}
static void *one(void *p) { both(&a, &b); return 0; }
static void *two(void *p) { both(&b, &a); return 0; }
int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return shared == 2 ? 0 : 1;
}
