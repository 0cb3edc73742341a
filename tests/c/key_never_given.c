// An invalid or deleted key has no value and cannot be set; a new key has no value either.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_key_t key;

static void *keep(void *it)
{
    assert(!pthread_getspecific(key));
    assert(pthread_setspecific(key, it) == 0);
    assert(pthread_getspecific(key) == it);
    return it;
}

int main(void)
{
    pthread_t thread;
    int it;
    assert(pthread_setspecific(key, &it) == EINVAL);
    assert(pthread_key_create(&key, 0) == 0);
    assert(!pthread_getspecific(key));
    assert(pthread_setspecific(key, &it) == 0);
    pthread_create(&thread, 0, keep, &key);
    pthread_join(thread, 0);
    assert(pthread_getspecific(key) == &it);
    assert(pthread_key_delete(key) == 0);
    assert(pthread_setspecific(key, &it) == EINVAL);
    assert(!pthread_getspecific(key));
    assert(pthread_key_delete(key) == EINVAL);
}
