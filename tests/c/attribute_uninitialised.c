/* The mutex type is set in an attribute object that was never initialised. */
#include <pthread.h>

static pthread_mutex_t lock;

int main(void) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &kind);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
