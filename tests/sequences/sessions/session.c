// Session layer of the meter gateway: one peer dials in, both exchange
// data, either may close. Close is a three step handshake (CLOSE,
// CLOSE_ACK, DONE) since frames may get lost on the radio link.

#include <stdbool.h>

enum { MAX_TRIES = 2, LINK = 2 };

typedef enum { F_NONE, F_OPEN, F_OPEN_ACK, F_DATA, F_CLOSE, F_CLOSE_ACK } frame_kind;
typedef enum { METER, GATEWAY } endpoint;
typedef enum { DOWN, OPENING, UP, CLOSING } phase;

typedef struct {
    frame_kind kind;
    endpoint src, dst;
} frame;

typedef struct {
    phase phase;
    int tries;          // retransmissions of the present request
    bool billing;       // the tariff clock runs while the session is up
} session;

session meter, gateway;

static frame link_buf[LINK];
static int link_len;

static session *of(endpoint e) { return e == METER ? &meter : &gateway; }
static endpoint other(endpoint e) { return e == METER ? GATEWAY : METER; }

void xmit(frame_kind kind, endpoint src, endpoint dst)
{
    if (link_len == LINK)
        return;
    link_buf[link_len++] = (frame){ kind, src, dst };
}

static void bring_up(session *s)
{
    s->phase = UP;
    s->tries = 0;
    s->billing = true;
}

static void tear_down(session *s)
{
    s->phase = DOWN;
    s->tries = 0;
    s->billing = false;
}

void on_frame(frame f)
{
    session *s = of(f.dst);

    switch (f.kind) {
    case F_OPEN:
        if (s->phase == DOWN)
            bring_up(s);
        xmit(F_OPEN_ACK, f.dst, f.src);
        break;
    case F_OPEN_ACK:
        if (s->phase == OPENING)
            bring_up(s);
        break;
    case F_CLOSE:
        tear_down(s);
        xmit(F_CLOSE_ACK, f.dst, f.src);
        break;
    case F_CLOSE_ACK:
        if (s->phase == CLOSING)
            tear_down(s);
        break;
    default:
        break;
    }
}

void request(endpoint e)
{
    session *s = of(e);

    if (s->phase == DOWN && e == METER) {
        s->phase = OPENING;
        xmit(F_OPEN, e, other(e));
    } else if (s->phase == UP) {
        s->phase = CLOSING;
        xmit(F_CLOSE, e, other(e));
    }
}

void timeout(endpoint e)
{
    session *s = of(e);

    if (s->phase != OPENING && s->phase != CLOSING)
        return;
    if (s->tries == MAX_TRIES) {
        tear_down(s);
        return;
    }
#ifndef FAULT
    s->tries++;
#endif
    xmit(s->phase == OPENING ? F_OPEN : F_CLOSE, e, other(e));
}

// --- test bench --------------------------------------------------------

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    for (;;) {
        switch (__VERIFIER_nondet_uchar() & 3) {
        case 0:
            request(METER);
            break;
        case 1:
            request(GATEWAY);
            break;
        case 2:
            timeout(meter.phase == OPENING || meter.phase == CLOSING ? METER : GATEWAY);
            break;
        default:
            break;
        }
        if (link_len > 0) {
            frame f = link_buf[0];

            link_len--;
            link_buf[0] = link_buf[1];
            link_buf[1] = (frame){ F_NONE, METER, METER };
            // The radio link loses frames.
            if (__VERIFIER_nondet_uchar() & 1)
                on_frame(f);
        }
    }
}
