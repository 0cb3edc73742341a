// A countdown latch: the main thread continues when all workers have reported.
#include <assert.h>
#include <pthread.h>
#define WORKERS 3
struct latch {
    pthread_mutex_t lock;
    pthread_cond_t zero;
    int count;
};
static struct latch latch = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, WORKERS};
static int result[WORKERS];
static void latch_down(struct latch *l) {
    pthread_mutex_lock(&l->lock);
    if (--l->count == 0)
        pthread_cond_broadcast(&l->zero);
    pthread_mutex_unlock(&l->lock);
}
static void latch_wait(struct latch *l) {
    pthread_mutex_lock(&l->lock);
    while (l->count > 0)
        pthread_cond_wait(&l->zero, &l->lock);
    pthread_mutex_unlock(&l->lock);
}
static void *worker(void *arg) {
    int *mine = arg;
    *mine = (int)(mine - result) + 1;
    latch_down(&latch);
    return 0;
}
int main(void) {
    pthread_t t[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&t[i], 0, worker, &result[i]);
    latch_wait(&latch);
    int sum = 0;
    for (int i = 0; i < WORKERS; i++)
        sum += result[i];
    assert(sum == 6);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(t[i], 0);
    return 0;
}
