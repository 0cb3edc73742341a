/* A recursive lock that identifies its owner by the thread id. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int owner;
static int depth, counter;

static void take(void) {
    if (atomic_load(&owner) != gettid()) {
        pthread_mutex_lock(&lock);
        atomic_store(&owner, gettid());
    }
    depth++;
}

static void give(void) {
    if (--depth == 0) {
        atomic_store(&owner, 0);
        pthread_mutex_unlock(&lock);
    }
}

static void *count(void *unused) {
    take();
    take();
    counter++;
    give();
    give();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    count(NULL);
    pthread_join(thread, NULL);
    assert(counter == 2);
    return 0;
}
