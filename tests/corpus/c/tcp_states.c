/* Simplified TCP connection: two endpoints over an in-memory link. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define FLAG_SYN (1u << 0)
#define FLAG_ACK (1u << 1)
#define FLAG_FIN (1u << 2)

enum tcp_state {
    CLOSED, LISTEN, SYN_SENT, SYN_RCVD, ESTABLISHED,
    FIN_WAIT, CLOSE_WAIT, LAST_ACK, TIME_WAIT
};

static const char *const names[] = {
    [CLOSED] = "CLOSED",           [LISTEN] = "LISTEN",
    [SYN_SENT] = "SYN_SENT",       [SYN_RCVD] = "SYN_RCVD",
    [ESTABLISHED] = "ESTABLISHED", [FIN_WAIT] = "FIN_WAIT",
    [CLOSE_WAIT] = "CLOSE_WAIT",   [LAST_ACK] = "LAST_ACK",
    [TIME_WAIT] = "TIME_WAIT",
};

struct segment { uint8_t flags; uint32_t seq, ack; };

struct link {
    pthread_mutex_t m;
    pthread_cond_t  c;
    struct segment  q[2];
    int             n;
};

struct endpoint {
    enum tcp_state state;
    uint32_t       snd_nxt, rcv_nxt;
    struct link   *tx, *rx;
};

static void link_init(struct link *l)
{
    pthread_mutex_init(&l->m, NULL);
    pthread_cond_init(&l->c, NULL);
    l->n = 0;
}

static void xmit(struct endpoint *e, uint8_t flags)
{
    struct segment s = { flags, e->snd_nxt, e->rcv_nxt };

    if (flags & (FLAG_SYN | FLAG_FIN))
        e->snd_nxt++;
    pthread_mutex_lock(&e->tx->m);
    while (e->tx->n == 2)
        pthread_cond_wait(&e->tx->c, &e->tx->m);
    e->tx->q[e->tx->n++] = s;
    pthread_cond_signal(&e->tx->c);
    pthread_mutex_unlock(&e->tx->m);
}

static struct segment receive(struct endpoint *e)
{
    struct segment s;

    pthread_mutex_lock(&e->rx->m);
    while (e->rx->n == 0)
        pthread_cond_wait(&e->rx->c, &e->rx->m);
    s = e->rx->q[0];
    e->rx->q[0] = e->rx->q[1];
    e->rx->n--;
    pthread_cond_signal(&e->rx->c);
    pthread_mutex_unlock(&e->rx->m);
    if (s.flags & (FLAG_SYN | FLAG_FIN))
        e->rcv_nxt = s.seq + 1;
    return s;
}

static void transition(struct endpoint *e, enum tcp_state next)
{
    printf("%s -> %s\n", names[e->state], names[next]);
    e->state = next;
}

static void *client(void *arg)
{
    struct endpoint *e = arg;
    struct segment s;

    xmit(e, FLAG_SYN);
    transition(e, SYN_SENT);
    s = receive(e);
    assert(s.flags == (FLAG_SYN | FLAG_ACK) && s.ack == e->snd_nxt);
    xmit(e, FLAG_ACK);
    transition(e, ESTABLISHED);
    xmit(e, FLAG_FIN);
    transition(e, FIN_WAIT);
    do {
        s = receive(e);
    } while (!(s.flags & FLAG_FIN));
    xmit(e, FLAG_ACK);
    transition(e, TIME_WAIT);
    return NULL;
}

static void *server(void *arg)
{
    struct endpoint *e = arg;
    struct segment s;

    transition(e, LISTEN);
    for (;;) {
        s = receive(e);
        switch (e->state) {
        case LISTEN:
            assert(s.flags & FLAG_SYN);
            xmit(e, FLAG_SYN | FLAG_ACK);
            transition(e, SYN_RCVD);
            break;
        case SYN_RCVD:
            if (s.flags & FLAG_ACK)
                transition(e, ESTABLISHED);
            break;
        case ESTABLISHED:
            if (s.flags & FLAG_FIN) {
                xmit(e, FLAG_ACK);
                transition(e, CLOSE_WAIT);
                xmit(e, FLAG_FIN);
                transition(e, LAST_ACK);
            }
            break;
        case LAST_ACK:
            assert(s.ack == e->snd_nxt);
            transition(e, CLOSED);
            return NULL;
        default:
            assert(!"unexpected state");
        }
    }
}

int main(void)
{
    static struct link a2b, b2a;
    struct endpoint a, b;
    pthread_t ta, tb;

    link_init(&a2b);
    link_init(&b2a);
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    a.tx = b.rx = &a2b;
    a.rx = b.tx = &b2a;
    a.snd_nxt = 100;
    b.snd_nxt = 300;
    pthread_create(&tb, NULL, server, &b);
    pthread_create(&ta, NULL, client, &a);
    pthread_join(ta, NULL);
    pthread_join(tb, NULL);
    assert(a.state == TIME_WAIT && b.state == CLOSED);
    return 0;
}
