/* A write while the lock is held for reading. */
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int hits;
static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    hits++;
    pthread_rwlock_unlock(&lock);
    return 0;
}
int main(void)
{
    pthread_t r1, r2;
    pthread_create(&r1, 0, reader, 0);
    pthread_create(&r2, 0, reader, 0);
    pthread_join(r1, 0);
    pthread_join(r2, 0);
    return 0;
}
