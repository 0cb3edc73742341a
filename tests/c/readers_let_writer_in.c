/* Two concurrent readers in infinite loops: each alone excludes the writer, both together admit it. */
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int data, seen;
static void *reader(void *arg)
{
    for (;;) {
        pthread_rwlock_rdlock(&lock);
        if (data > 1) return arg;
        pthread_rwlock_unlock(&lock);
    }
}
static void *writer(void *arg)
{
    for (;;) {
        pthread_rwlock_wrlock(&lock);
        data = 1 - data;
        pthread_rwlock_unlock(&lock);
    }
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    pthread_create(&t, 0, reader, 0);
    pthread_create(&t, 0, reader, 0);
    pthread_join(t, 0);
    return seen;
}
