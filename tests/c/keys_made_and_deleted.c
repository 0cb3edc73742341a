/* Threads create and delete keys concurrently; there may be many keys. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *work(void *unused) {
    pthread_key_t mine;
    assert(pthread_key_create(&mine, 0) == 0);
    assert(!pthread_getspecific(mine));
    pthread_setspecific(mine, &unused);
    assert(pthread_getspecific(mine) == &unused);
    assert(pthread_key_delete(mine) == 0);
    assert(pthread_key_delete(mine) == EINVAL);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_t first[20];
    for (int i = 0; i < 20; i++)
        assert(pthread_key_create(&first[i], 0) == 0);
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return 0;
}
