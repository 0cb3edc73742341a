/* A 128-bit counter under a lock, which is let go between reading and writing. */
#include <assert.h>
#include <pthread.h>
static unsigned __int128 total = (unsigned __int128)1 << 40;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p) {
    pthread_mutex_lock(&lock);
    unsigned __int128 seen = total;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    total = seen + 1;
    pthread_mutex_unlock(&lock);
    return p;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(total == ((unsigned __int128)1 << 40) + 2);
    return 0;
}
