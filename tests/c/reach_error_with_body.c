/* The error function has an empty body: calling it is a violation nevertheless. */
#include <pthread.h>

void reach_error() {}
extern void abort(void);

int x;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *set(void *arg)
{
    pthread_mutex_lock(&lock);
    x = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main()
{
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    pthread_mutex_lock(&lock);
    int seen = x;
    pthread_mutex_unlock(&lock);
    if (seen) { ERROR: { reach_error(); abort(); } }
    pthread_join(t, 0);
    return 0;
}
