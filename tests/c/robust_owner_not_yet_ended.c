/* The owner of a robust mutex after its last action need not have ended: its mutex is still locked. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock;
static atomic_int done;

static void *run(void *given)
{
    pthread_mutex_lock(&lock);
    done = 1;
    return given;
}

int main(void)
{
    pthread_t thread;
    pthread_mutexattr_t robust;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &robust);
    pthread_create(&thread, 0, run, 0);
    if (done)
        assert(pthread_mutex_trylock(&lock) != EBUSY);
    pthread_join(thread, 0);
    return 0;
}
