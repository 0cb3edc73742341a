/* A reader may acquire the lock recursively; the writer waits until it was released as often. */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    int before = value;
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    assert(value == before);
    pthread_rwlock_unlock(&lock);
    return arg;
}

static void *writer(void *arg)
{
    pthread_rwlock_wrlock(&lock);
    value++;
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t r, w;
    pthread_create(&r, 0, reader, 0);
    pthread_create(&w, 0, writer, 0);
    pthread_join(r, 0);
    pthread_join(w, 0);
    assert(value == 1);
    return 0;
}
