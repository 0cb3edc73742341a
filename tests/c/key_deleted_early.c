/* A deleted key has no destructor, and a key created later has no values. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_key_t key;
static sem_t stored, deleted;

static void never(void *value) { assert(!value); }

static void *work(void *unused) {
    pthread_setspecific(key, &key);
    sem_post(&stored);
    sem_wait(&deleted);
    assert(!pthread_getspecific(key));
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&stored, 0, 0);
    sem_init(&deleted, 0, 0);
    pthread_key_create(&key, never);
    pthread_create(&thread, 0, work, 0);
    sem_wait(&stored);
    assert(pthread_key_delete(key) == 0);
    pthread_key_create(&key, never);
    sem_post(&deleted);
    pthread_join(thread, 0);
    return 0;
}
