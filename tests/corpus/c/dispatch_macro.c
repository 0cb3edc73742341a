/* Macro-heavy state machine: two connections share one session table. */
#include <pthread.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>

#define STATES(X) X(IDLE) X(HELLO) X(READY) X(CLOSED)
#define EVENTS(X) X(OPEN) X(AUTH) X(DATA) X(CLOSE)

#define AS_ENUM_S(n) ST_##n,
#define AS_ENUM_E(n) EV_##n,
#define AS_NAME(n)   #n,

typedef enum { STATES(AS_ENUM_S) ST_COUNT } state_e;
typedef enum { EVENTS(AS_ENUM_E) EV_COUNT } event_e;

static const char *state_name[] = { STATES(AS_NAME) };
static const char *event_name[] = { EVENTS(AS_NAME) };

#define LOCKED(m) for (int once_ = (pthread_mutex_lock(m), 1); once_; once_ = (pthread_mutex_unlock(m), 0))
#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define FAIL(...) do { fprintf(stderr, __VA_ARGS__); abort(); } while (0)

typedef struct { uint8_t id; state_e st; uint16_t bytes; } conn_t;

static pthread_mutex_t table_mtx = PTHREAD_MUTEX_INITIALIZER;
static unsigned sessions, peak;

typedef void action_f(conn_t *);

static void on_open(conn_t *c)  { LOCKED(&table_mtx) { if (++sessions > peak) peak = sessions; } c->bytes = 0; }
static void on_data(conn_t *c)  { c->bytes += 100; }
static void on_close(conn_t *c) { (void)c; LOCKED(&table_mtx) sessions--; }
static void nop(conn_t *c)      { (void)c; }

static const struct { state_e next; action_f *act; } fsm[ST_COUNT][EV_COUNT] = {
    [ST_IDLE]  = { [EV_OPEN]  = { ST_HELLO, on_open } },
    [ST_HELLO] = { [EV_AUTH]  = { ST_READY, nop }, [EV_CLOSE] = { ST_CLOSED, on_close } },
    [ST_READY] = { [EV_DATA]  = { ST_READY, on_data }, [EV_CLOSE] = { ST_CLOSED, on_close } },
};

static void feed(conn_t *c, event_e e)
{
    if (fsm[c->st][e].act == NULL)
        FAIL("conn %u: event %s in state %s\n", c->id, event_name[e], state_name[c->st]);
    fsm[c->st][e].act(c);
    c->st = fsm[c->st][e].next;
}

static void *client(void *p)
{
    static const event_e script[] = { EV_OPEN, EV_AUTH, EV_DATA, EV_DATA, EV_CLOSE };
    conn_t *c = p;
    for (size_t i = 0; i < ARRAY_LEN(script); i++)
        feed(c, script[i]);
    return c->st == ST_CLOSED ? p : NULL;
}

int main(void)
{
    conn_t c[3] = { { .id = 1 }, { .id = 2 }, { .id = 3 } };
    pthread_t t[ARRAY_LEN(c)];
    for (size_t i = 0; i < ARRAY_LEN(c); i++)
        pthread_create(&t[i], NULL, client, &c[i]);
    for (size_t i = 0; i < ARRAY_LEN(c); i++) {
        void *r;
        pthread_join(t[i], &r);
        if (r != &c[i] || c[i].bytes != 200)
            FAIL("conn %zu\n", i);
    }
    if (sessions != 0 || peak == 0 || peak > 3)
        FAIL("sessions %u peak %u\n", sessions, peak);
    return 0;
}
