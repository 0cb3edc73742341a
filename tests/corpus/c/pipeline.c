/* pipeline: read numbers -> square -> sum, connected by bounded channels */
#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>

#define CAP 2
#define EOS (-1)

#define CHECK(expr)                                                   \
    do {                                                              \
        int _rc = (expr);                                             \
        if (_rc != 0) {                                               \
            fprintf(stderr, "%s:%d: %s failed: %d\n", __FILE__,       \
                    __LINE__, #expr, _rc);                            \
            exit(EXIT_FAILURE);                                       \
        }                                                             \
    } while (0)

typedef struct chan {
    int buf[CAP];
    int head, count;
    pthread_mutex_t lock;
    pthread_cond_t changed;
} chan_t;

typedef struct stage {
    const char *name;
    chan_t *in, *out;
    int (*fn)(int);
} stage_t;

static void chan_init(chan_t *c) {
    c->head = c->count = 0;
    CHECK(pthread_mutex_init(&c->lock, NULL));
    CHECK(pthread_cond_init(&c->changed, NULL));
}

static void chan_send(chan_t *c, int v) {
    CHECK(pthread_mutex_lock(&c->lock));
    while (c->count == CAP)
        CHECK(pthread_cond_wait(&c->changed, &c->lock));
    c->buf[(c->head + c->count++) % CAP] = v;
    CHECK(pthread_cond_broadcast(&c->changed));
    CHECK(pthread_mutex_unlock(&c->lock));
}

static int chan_recv(chan_t *c) {
    int v;
    CHECK(pthread_mutex_lock(&c->lock));
    while (c->count == 0)
        CHECK(pthread_cond_wait(&c->changed, &c->lock));
    v = c->buf[c->head];
    c->head = (c->head + 1) % CAP;
    c->count--;
    CHECK(pthread_cond_broadcast(&c->changed));
    CHECK(pthread_mutex_unlock(&c->lock));
    return v;
}

static int square(int x) { return x * x; }

static int add(int x) {
    static int sum;
    return sum += x;
}

static void *stage_main(void *p) {
    stage_t *s = p;
    int v;
    while ((v = chan_recv(s->in)) != EOS)
        chan_send(s->out, s->fn(v));
    chan_send(s->out, EOS);
    return NULL;
}

int main(void) {
    chan_t c[3];
    for (int i = 0; i < 3; i++)
        chan_init(&c[i]);
    stage_t stages[2] = {
        { "square", &c[0], &c[1], square },
        { "add", &c[1], &c[2], add },
    };
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&t[i], NULL, stage_main, &stages[i]));

    chan_send(&c[0], 3);
    chan_send(&c[0], 4);
    chan_send(&c[0], EOS);

    int last = 0, v;
    while ((v = chan_recv(&c[2])) != EOS)
        last = v;
    for (int i = 0; i < 2; i++)
        CHECK(pthread_join(t[i], NULL));
    if (last != 25)
        abort();
    return 0;
}
