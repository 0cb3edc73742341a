/*
 * Reactor: several sources post events, one loop dispatches them to
 * handlers which are registered in a table.
 */
#include <stdlib.h>
#include <stdio.h>
#include <stdint.h>
#include <pthread.h>
#include <assert.h>

typedef enum { EV_NONE, EV_TIMER, EV_INPUT, EV_QUIT, EV_MAX } ev_type_t;

typedef struct event_s
{
    ev_type_t        type;
    intptr_t         data;
    struct event_s  *next;
} event_t;

typedef struct loop_s loop_t;
typedef void (*ev_handler_t)(loop_t *, const event_t *);

struct loop_s
{
    pthread_mutex_t  mtx;
    pthread_cond_t   cond;
    event_t         *head, **tail;
    ev_handler_t     handlers[EV_MAX];
    int              sources;
    intptr_t         acc;
    int              ticks;
};

static void loop_init(loop_t *l, int sources)
{
    pthread_mutex_init(&l->mtx, NULL);
    pthread_cond_init(&l->cond, NULL);
    l->head = NULL;
    l->tail = &l->head;
    for (int i = 0; i < EV_MAX; i++)
        l->handlers[i] = NULL;
    l->sources = sources;
    l->acc = 0;
    l->ticks = 0;
}

static void loop_on(loop_t *l, ev_type_t t, ev_handler_t h)
{
    l->handlers[t] = h;
}

static void loop_post(loop_t *l, ev_type_t type, intptr_t data)
{
    event_t *e = malloc(sizeof(event_t));
    if (e == NULL)
        abort();
    e->type = type;
    e->data = data;
    e->next = NULL;

    pthread_mutex_lock(&l->mtx);
    *l->tail = e;
    l->tail = &e->next;
    pthread_cond_signal(&l->cond);
    pthread_mutex_unlock(&l->mtx);
}

static void loop_run(loop_t *l)
{
    while (l->sources > 0)
    {
        event_t *e;

        pthread_mutex_lock(&l->mtx);
        while ((e = l->head) == NULL)
            pthread_cond_wait(&l->cond, &l->mtx);
        l->head = e->next;
        if (l->head == NULL)
            l->tail = &l->head;
        pthread_mutex_unlock(&l->mtx);

        if (l->handlers[e->type] != NULL)
            l->handlers[e->type](l, e);
        free(e);
    }
}

static void on_timer(loop_t *l, const event_t *e)
{
    (void)e;
    l->ticks++;
}

static void on_input(loop_t *l, const event_t *e)
{
    l->acc += e->data;
}

static void on_quit(loop_t *l, const event_t *e)
{
    (void)e;
    l->sources--;
}

static loop_t loop;

static void *timer_thread(void *arg)
{
    int n = *(int *)arg;
    while (n-- > 0)
        loop_post(&loop, EV_TIMER, 0);
    loop_post(&loop, EV_QUIT, 0);
    return NULL;
}

static void *input_thread(void *arg)
{
    const char *s = arg;
    for (; *s; s++)
        loop_post(&loop, EV_INPUT, *s - '0');
    loop_post(&loop, EV_QUIT, 0);
    return NULL;
}

int main(void)
{
    pthread_t t, in;
    int n = 2;

    loop_init(&loop, 2);
    loop_on(&loop, EV_TIMER, on_timer);
    loop_on(&loop, EV_INPUT, on_input);
    loop_on(&loop, EV_QUIT, on_quit);
    pthread_create(&t, NULL, timer_thread, &n);
    pthread_create(&in, NULL, input_thread, "42");
    loop_run(&loop);
    pthread_join(t, NULL);
    pthread_join(in, NULL);
    assert(loop.ticks == 2);
    assert(loop.acc == 6);
    printf("ticks %d, sum %ld\n", loop.ticks, (long)loop.acc);
    return 0;
}
