/* Each thread has variables whose addresses it passes to its own functions. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int turn;

static void take(int *out)
{
    pthread_mutex_lock(&lock);
    *out = turn;
    turn = 1 - turn;
    pthread_mutex_unlock(&lock);
}

static void *worker(void *unused)
{
    int first, second, *last = &second;
    take(&first);
    take(last);
    assert(first + *last <= 2);
    return unused;
}

int main(void)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, &attributes, worker, 0);
    }
}
