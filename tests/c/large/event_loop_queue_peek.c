/* An event loop: threads post events with payloads on the heap; main reads the sum before the loop has stopped: a race. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define POSTERS 3
#define EACH 2

enum kind { ADD, MULTIPLY, STOP };

struct event {
    enum kind kind;
    int operand;
    struct event *next;
};

struct loop {
    pthread_mutex_t lock;
    pthread_cond_t ready;
    struct event *first, **last;
    int adds, multiplies;
    long sum;
};

struct poster {
    struct loop *loop;
    enum kind kind;
};

static void post(struct loop *loop, enum kind kind, int operand)
{
    struct event *e = malloc(sizeof *e);
    e->kind = kind;
    e->operand = operand;
    e->next = NULL;
    pthread_mutex_lock(&loop->lock);
    *loop->last = e;
    loop->last = &e->next;
    pthread_cond_signal(&loop->ready);
    pthread_mutex_unlock(&loop->lock);
}

static void on_add(struct loop *loop, struct event *e) { loop->adds++; loop->sum += e->operand; }
static void on_multiply(struct loop *loop, struct event *e) { loop->multiplies++; loop->sum += 2 * e->operand; }

static void (*const handlers[])(struct loop *, struct event *) = { on_add, on_multiply };

static void *dispatch(void *arg)
{
    struct loop *loop = arg;
    for (;;) {
        pthread_mutex_lock(&loop->lock);
        while (!loop->first)
            pthread_cond_wait(&loop->ready, &loop->lock);
        struct event *e = loop->first;
        loop->first = e->next;
        if (!loop->first)
            loop->last = &loop->first;
        pthread_mutex_unlock(&loop->lock);
        enum kind kind = e->kind;
        if (kind != STOP)
            handlers[kind](loop, e);
        free(e);
        if (kind == STOP)
            return NULL;
    }
}

static void *poster(void *arg)
{
    struct poster *p = arg;
    for (int i = 1; i <= EACH; i++)
        post(p->loop, p->kind, i);
    return NULL;
}

int main(void)
{
    struct loop loop = { .first = NULL };
    struct poster posters[POSTERS];
    pthread_t t[POSTERS], dispatcher;
    pthread_mutex_init(&loop.lock, NULL);
    pthread_cond_init(&loop.ready, NULL);
    loop.last = &loop.first;
    pthread_create(&dispatcher, NULL, dispatch, &loop);
    for (int i = 0; i < POSTERS; i++) {
        posters[i] = (struct poster){ &loop, i % 2 ? MULTIPLY : ADD };
        pthread_create(&t[i], NULL, poster, &posters[i]);
    }
    for (int i = 0; i < POSTERS; i++)
        pthread_join(t[i], NULL);
    post(&loop, STOP, 0);
    assert(loop.sum <= 12);
    pthread_join(dispatcher, NULL);
    assert(loop.adds == 2 * EACH && loop.multiplies == EACH);
    assert(loop.sum == 12);
    return 0;
}
