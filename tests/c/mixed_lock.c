/* Each thread holds a lock, but not the same one. */
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *one(void *p) { pthread_mutex_lock(&a); n++; pthread_mutex_unlock(&a); return 0; }
static void *two(void *p) { pthread_mutex_lock(&b); n++; pthread_mutex_unlock(&b); return 0; }
int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
