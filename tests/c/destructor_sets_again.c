/* A destructor that stores a new value is called again, up to the maximum number of rounds. */
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int calls;

static void again(void *value) {
    assert(!pthread_getspecific(key));
    if (++calls < 3)
        pthread_setspecific(key, value);
}

static void *work(void *unused) {
    pthread_setspecific(key, &key);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, again);
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(calls == 3);
    return 0;
}
