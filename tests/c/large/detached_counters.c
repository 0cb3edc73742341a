/* Detached threads get a heap block as argument, free it, and signal completion under a lock. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define THREADS 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;

struct work {
    int from, to;
    int *left;
    long *sum;
};

static void *run(void *arg)
{
    struct work *w = arg;
    long sum = 0;
    for (int i = w->from; i < w->to; i++)
        sum += i;
    pthread_mutex_lock(&lock);
    *w->sum += sum;
    if (--*w->left == 0)
        pthread_cond_signal(&done);
    pthread_mutex_unlock(&lock);
    free(w);
    return NULL;
}

int main(void)
{
    int left = THREADS;
    long sum = 0;
    for (int i = 0; i < THREADS; i++) {
        struct work *w = malloc(sizeof *w);
        *w = (struct work){ i * 10, i * 10 + 10, &left, &sum };
        pthread_t t;
        pthread_create(&t, NULL, run, w);
        pthread_detach(t);
    }
    pthread_mutex_lock(&lock);
    while (left > 0)
        pthread_cond_wait(&done, &lock);
    pthread_mutex_unlock(&lock);
    assert(sum == 780);
    return 0;
}
