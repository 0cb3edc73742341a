/* GNU's attribute `cleanup` is missing: the second thread waits forever. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared, order[4], count;

static void unlock(pthread_mutex_t **m) { pthread_mutex_unlock(*m); }
static void note(int *which) { order[count++] = *which; }

#define HOLD(m) pthread_mutex_t *held = &(m); pthread_mutex_lock(held)

static int step(int how)
{
    HOLD(lock);
    if (how == 0) return shared++;
    for (int i = 0; i < 2; i++) {
        int one __attribute__((cleanup(note))) = 2 * i;
        __attribute__((cleanup(note))) int two = 2 * i + 1;
        if (i == 1) goto out;
    }
out:
    shared++;
    return shared;
}

static void *worker(void *arg) { (void)arg; step(0); return 0; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    step(1);
    pthread_join(t, 0);
    assert(shared == 2);
    assert(count == 4 && order[0] == 1 && order[1] == 0 && order[2] == 3 && order[3] == 2);
    return 0;
}
