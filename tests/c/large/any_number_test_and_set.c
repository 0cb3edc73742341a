/* A lock implemented by an atomic section; threads are created without bound. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int taken, inside;

static void acquire(void)
{
    int before;
    do {
        __VERIFIER_atomic_begin();
        before = taken;
        taken = 1;
        __VERIFIER_atomic_end();
    } while (before);
}

static void release(void)
{
    __VERIFIER_atomic_begin();
    taken = 0;
    __VERIFIER_atomic_end();
}

static void *worker(void *unused)
{
    acquire();
    inside++;
    assert(inside == 1);
    inside--;
    release();
    return unused;
}

int main(void)
{
    pthread_t thread;
    while (1)
        pthread_create(&thread, 0, worker, 0);
}
