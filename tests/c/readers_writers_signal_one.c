// The writer wakes one reader only, and that one wakes no other.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t may_read = PTHREAD_COND_INITIALIZER;
static int written;
static void *reader(void *arg) {
    pthread_mutex_lock(&m);
    while (!written)
        pthread_cond_wait(&may_read, &m);
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_mutex_lock(&m);
    written = 1;
    pthread_cond_signal(&may_read);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
