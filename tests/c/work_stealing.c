// Two workers with a queue each; an idle worker steals from the other.
#include <assert.h>
#include <pthread.h>
#define JOBS 2
struct deque {
    pthread_mutex_t lock;
    int job[JOBS], top, bottom;
};
static struct deque queue[2] = {
    {PTHREAD_MUTEX_INITIALIZER, {0, 1}, 0, 2},
    {PTHREAD_MUTEX_INITIALIZER, {0, 0}, 0, 0},
};
static int done[JOBS];
static int pop(struct deque *q) {
    int job = -1;
    pthread_mutex_lock(&q->lock);
    if (q->bottom > q->top)
        job = q->job[--q->bottom];
    pthread_mutex_unlock(&q->lock);
    return job;
}
static int steal(struct deque *q) {
    int job = -1;
    pthread_mutex_lock(&q->lock);
    if (q->bottom > q->top)
        job = q->job[q->top++];
    pthread_mutex_unlock(&q->lock);
    return job;
}
static void *worker(void *arg) {
    int me = (int)(long)arg;
    for (;;) {
        int job = pop(&queue[me]);
        if (job < 0)
            job = steal(&queue[1 - me]);
        if (job < 0)
            return 0;
        done[job]++;
    }
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, (void *)0L);
    pthread_create(&b, 0, worker, (void *)1L);
    pthread_join(a, 0);
    pthread_join(b, 0);
    for (int i = 0; i < JOBS; i++)
        assert(done[i] == 1);
    return 0;
}
