#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <assert.h>

/* Work stealing, each deque has its own mutex: the owner works at the
 * bottom, thieves take from the top. */

#define WORKERS 2
#define DEQ_MAX 4

typedef struct {
    pthread_mutex_t mu;
    int items[DEQ_MAX];
    int top, bottom;
} deque_t;

static deque_t deques[WORKERS];
static atomic_int remaining;
static int done_by[DEQ_MAX];

static void deque_push(deque_t *d, int v) {
    pthread_mutex_lock(&d->mu);
    assert(d->bottom < DEQ_MAX);
    d->items[d->bottom++] = v;
    pthread_mutex_unlock(&d->mu);
}

static bool deque_pop(deque_t *d, int *v) {
    bool ok = false;
    pthread_mutex_lock(&d->mu);
    if (d->top < d->bottom) {
        *v = d->items[--d->bottom];
        ok = true;
    }
    pthread_mutex_unlock(&d->mu);
    return ok;
}

static bool deque_steal(deque_t *d, int *v) {
    bool ok = false;
    if (pthread_mutex_trylock(&d->mu) != 0)
        return false;
    if (d->top < d->bottom) {
        *v = d->items[d->top++];
        ok = true;
    }
    pthread_mutex_unlock(&d->mu);
    return ok;
}

static void run_task(int self, int task) {
    done_by[task] = self + 1;
    atomic_fetch_sub(&remaining, 1);
}

static void *worker(void *arg) {
    int self = (int)(long)arg;
    int task;
    while (atomic_load(&remaining) > 0) {
        if (deque_pop(&deques[self], &task))
            run_task(self, task);
        else if (deque_steal(&deques[(self + 1) % WORKERS], &task))
            run_task(self, task);
    }
    return NULL;
}

int main(void) {
    pthread_t t[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_mutex_init(&deques[i].mu, NULL);
    for (int i = 0; i < 3; i++)
        deque_push(&deques[0], i);
    atomic_store(&remaining, 3);
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < 3; i++) {
        printf("task %d done by worker %d\n", i, done_by[i] - 1);
        assert(done_by[i] == 1 || done_by[i] == 2);
    }
    return 0;
}
