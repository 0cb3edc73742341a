/* One thread polls while it holds the lock that the other needs to set the flag, but the poll terminates. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int done;
static void *setter(void *p) { pthread_mutex_lock(&m); done = 1; pthread_mutex_unlock(&m); return 0; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, setter, 0);
    for (;;) {
        pthread_mutex_lock(&m);
        int d = done;
        pthread_mutex_unlock(&m);
        if (d) break;
    }
    pthread_join(t, 0);
    return 0;
}
