// Three threads take work items from a list under a lock and sum their results; compare work_queue.pml.
#include <assert.h>
#include <pthread.h>

#define WORKERS 3
#define PIECES 30

static int work[PIECES], next, sum;
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER, total = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    for (;;) {
        pthread_mutex_lock(&queue);
        int at = next < PIECES ? next++ : -1;
        pthread_mutex_unlock(&queue);
        if (at < 0)
            return 0;
        int done = work[at];
        pthread_mutex_lock(&total);
        sum += done;
        pthread_mutex_unlock(&total);
    }
}

int main(void) {
    pthread_t t[WORKERS];
    for (int i = 0; i < PIECES; i++)
        work[i] = i % 3 + 1;
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(t[i], 0);
    assert(sum == 2 * PIECES);
    return 0;
}
