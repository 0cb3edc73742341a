/* The flag is a non-atomic variable. */
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, value;
static int get(void)
{
    if (!ready) {
        pthread_mutex_lock(&lock);
        if (!ready) { value = 42; ready = 1; }
        pthread_mutex_unlock(&lock);
    }
    return value;
}
static void *user(void *arg) { return (void *)(long)get(); }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
