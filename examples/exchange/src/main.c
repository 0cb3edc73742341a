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

/* The last signal of the party has been handled. */
static int ready(enum party p)
{
    return line[p]->signal == NO_MESSAGE;
}

static int can_dial(enum party p)
{
    return ready(p) && (line[p]->state == DIALING || line[p]->state == COLLECTING);
}

/* Is this action possible now? */
static int possible(enum action action)
{
    switch (action) {
    case NOTHING:
        return 1;
    case A_HOOK:
        return ready(A);
    case A_DIALS_A:
    case A_DIALS_B:
    case A_DIALS_TRUNK:
        return can_dial(A);
    case A_FLASH:
        return ready(A) && a.off_hook;
    case A_TIMEOUT:
        return ready(A) && a.timer;
    case B_HOOK:
        return ready(B);
    case B_DIALS_A:
    case B_DIALS_B:
    case B_DIALS_TRUNK:
        return can_dial(B);
    case B_TIMEOUT:
        return ready(B) && b.timer;
    case REMOTE_CALLS_A:
    case REMOTE_CALLS_B:
        return ready(TRUNK) && trunk.state == IDLE;
    case REMOTE_ANSWERS:
        return ready(TRUNK) && trunk.state == RINGING;
    case REMOTE_CLEARS:
        return ready(TRUNK) && trunk.state != IDLE;
    default:
        return 0;
    }
}

static void signal(enum party p, enum kind kind, int subject)
{
    line[p]->signal = kind;
    send(kind, p, p, subject);
}

/* Lift the receiver, or put it down. */
static void hook(enum party p)
{
    line[p]->off_hook = !line[p]->off_hook;
    signal(p, line[p]->off_hook ? OFF_HOOK : ON_HOOK, 0);
}

static void act(enum action action)
{
    switch (action) {
    case A_HOOK:
        hook(A);
        break;
    case A_DIALS_A:
        signal(A, DIGIT, DIGIT_A);
        break;
    case A_DIALS_B:
        signal(A, DIGIT, DIGIT_B);
        break;
    case A_DIALS_TRUNK:
        signal(A, DIGIT, DIGIT_TRUNK);
        break;
    case A_FLASH:
        signal(A, FLASH, 0);
        break;
    case A_TIMEOUT:
        signal(A, TIMEOUT, 0);
        break;
    case B_HOOK:
        hook(B);
        break;
    case B_DIALS_A:
        signal(B, DIGIT, DIGIT_A);
        break;
    case B_DIALS_B:
        signal(B, DIGIT, DIGIT_B);
        break;
    case B_DIALS_TRUNK:
        signal(B, DIGIT, DIGIT_TRUNK);
        break;
    case B_TIMEOUT:
        signal(B, TIMEOUT, 0);
        break;
    case REMOTE_CALLS_A:
        signal(TRUNK, DIGIT, DIGIT_A);
        break;
    case REMOTE_CALLS_B:
        signal(TRUNK, DIGIT, DIGIT_B);
        break;
    case REMOTE_ANSWERS:
        signal(TRUNK, OFF_HOOK, 0);
        break;
    case REMOTE_CLEARS:
        signal(TRUNK, ON_HOOK, 0);
        break;
    default:
        break;
    }
}

/* Any possible action. */
static enum action choose(void)
{
    unsigned char action = __VERIFIER_nondet_uchar();

    __VERIFIER_assume(action < ACTIONS);
    __VERIFIER_assume(possible((enum action)action));
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
