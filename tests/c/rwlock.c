#include <pthread.h>
#include <assert.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;
static void *writer(void *arg)
{
    pthread_rwlock_wrlock(&lock);
    a++;
    b++;
    pthread_rwlock_unlock(&lock);
    return 0;
}
static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    assert(a == b);
    pthread_rwlock_unlock(&lock);
    return 0;
}
int main(void)
{
    pthread_t w, r1, r2;
    pthread_create(&r1, 0, reader, 0);
    pthread_create(&w, 0, writer, 0);
    pthread_create(&r2, 0, reader, 0);
    pthread_join(w, 0);
    pthread_join(r1, 0);
    pthread_join(r2, 0);
    pthread_rwlock_destroy(&lock);
    return 0;
}
