/* The event loop, with a driver for the subscribers and the remote switch. In each round at most
   one signal arrives, and one message is handled. Every message is thus handled eventually, and
   signals may arrive between any two messages. */
#include "call.h"
#include "features.h"
#include "line.h"
#include "queue.h"
#include "route.h"
#include "trunk.h"
#include "verifier.h"

/* Signals are accepted while at most this number of messages is queued. */
#ifndef BACKLOG
#define BACKLOG 2
#endif

/* What the surroundings of the exchange can do. */
enum action {
    NOTHING,
    A_HOOK,
    A_DIALS_A,
    A_DIALS_B,
    A_DIALS_TRUNK,
    A_FLASH,
    A_TIMEOUT,
    B_HOOK,
    B_DIALS_A,
    B_DIALS_B,
    B_DIALS_TRUNK,
    B_TIMEOUT,
    REMOTE_CALLS_A,
    REMOTE_CALLS_B,
    REMOTE_ANSWERS,
    REMOTE_CLEARS,
    ACTIONS
};

/* A signal arrives, unless the last one of this party has not been handled yet. */
static void signal(enum party p, enum kind kind, int subject)
{
    if (line[p]->signal != NO_MESSAGE)
        return;
    line[p]->signal = kind;
    send(kind, p, p, subject);
}

static void hook(enum party p)
{
    if (line[p]->signal != NO_MESSAGE)
        return;
    line[p]->off_hook = !line[p]->off_hook;
    signal(p, line[p]->off_hook ? OFF_HOOK : ON_HOOK, 0);
}

static void digit(enum party p, int value)
{
    if (line[p]->state == DIALING || line[p]->state == COLLECTING)
        signal(p, DIGIT, value);
}

static void timer(enum party p)
{
    if (line[p]->timer)
        signal(p, TIMEOUT, 0);
}

static void act(enum action action)
{
    switch (action) {
    case A_HOOK:
        hook(A);
        break;
    case A_DIALS_A:
        digit(A, DIGIT_A);
        break;
    case A_DIALS_B:
        digit(A, DIGIT_B);
        break;
    case A_DIALS_TRUNK:
        digit(A, DIGIT_TRUNK);
        break;
    case A_FLASH:
        if (line[A]->off_hook)
            signal(A, FLASH, 0);
        break;
    case A_TIMEOUT:
        timer(A);
        break;
    case B_HOOK:
        hook(B);
        break;
    case B_DIALS_A:
        digit(B, DIGIT_A);
        break;
    case B_DIALS_B:
        digit(B, DIGIT_B);
        break;
    case B_DIALS_TRUNK:
        digit(B, DIGIT_TRUNK);
        break;
    case B_TIMEOUT:
        timer(B);
        break;
    case REMOTE_CALLS_A:
        if (line[TRUNK]->state == IDLE)
            signal(TRUNK, DIGIT, DIGIT_A);
        break;
    case REMOTE_CALLS_B:
        if (line[TRUNK]->state == IDLE)
            signal(TRUNK, DIGIT, DIGIT_B);
        break;
    case REMOTE_ANSWERS:
        if (line[TRUNK]->state == RINGING)
            signal(TRUNK, OFF_HOOK, 0);
        break;
    case REMOTE_CLEARS:
        if (line[TRUNK]->state != IDLE)
            signal(TRUNK, ON_HOOK, 0);
        break;
    default:
        break;
    }
}

static enum action choose(void)
{
    int action = __VERIFIER_nondet_int();

    __VERIFIER_assume(action >= NOTHING && action < ACTIONS);
    return (enum action)action;
}

static void dispatch(struct message m)
{
    if (m.from == m.to)
        line[m.to]->signal = NO_MESSAGE;
    if (m.to == TRUNK)
        trunk_event(m);
    else
        call_event(m);
}

int main(void)
{
    provision();
    for (;;) {
        if (queued < BACKLOG)
            act(choose());
        if (queued > 0)
            dispatch(receive());
    }
}
