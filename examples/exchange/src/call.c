/* Call processing for subscribers: the state routine. Each message is handled to completion in the
   state of the line that receives it. */
#include <assert.h>

#include "call.h"
#include "features.h"
#include "line.h"
#include "queue.h"
#include "route.h"

static void start_timer(enum party p)
{
    line[p]->timer = 1;
}

static void stop_timer(enum party p)
{
    line[p]->timer = 0;
}

static void silence(enum party p)
{
    line[p]->bell = 0;
    line[p]->reminder = 0;
    line[p]->dial_tone = 0;
    line[p]->ringback_tone = 0;
    line[p]->busy_tone = 0;
    line[p]->waiting_tone = 0;
}

/* Enter a state. The state determines bell and tones; no timer runs unless it is started
   afterwards. */
static void enter(enum party p, enum state state)
{
#ifdef FAULT_9
    if (state != TALKING)
#endif
        stop_timer(p);
    silence(p);
    line[p]->state = state;
    switch (state) {
    case REMINDER:
        line[p]->reminder = 1;
        break;
    case DIALING:
        line[p]->dial_tone = 1;
        break;
    case RINGBACK:
        line[p]->ringback_tone = 1;
        break;
    case BLOCKED:
        line[p]->busy_tone = 1;
        break;
    case RINGING:
    case RECALL:
        line[p]->bell = 1;
        break;
    default:
        break;
    }
}

/* The party p is the callee of an unanswered call. */
static void present(enum party p, enum party caller)
{
    enter(p, RINGING);
    line[p]->peer = caller;
    if (p == A && forward_no_answer)
        start_timer(p);
}

/* --- Outgoing calls --- */

static void start_dialing(enum party p)
{
    enter(p, DIALING);
    start_timer(p);
}

/* Call a party. The own number and that of the call on hold are busy: messages of two calls between
   the same parties could not be distinguished. */
static void place_call(enum party p, enum party callee)
{
#ifdef FAULT_11
    if (callee == p) {
#else
    if (callee == p || callee == line[p]->held) {
#endif
        enter(p, BLOCKED);
        return;
    }
    enter(p, ROUTING);
    line[p]->peer = callee;
    send(SETUP, p, callee, 0);
}

/* The receiver was lifted while no call was presented. */
static void originate(enum party p)
{
#ifdef FAULT_10
    if (p == A && deny_origination && !hotline)
#else
    if (p == A && deny_origination)
#endif
        enter(p, BLOCKED);
    else if (p == A && hotline)
        place_call(p, B);
    else
        start_dialing(p);
}

static void dial(enum party p, int digit)
{
    enum party callee = analyse(digit);

    if (line[p]->state == COLLECTING)
        place_call(p, TRUNK);
    else if (callee != NO_PARTY)
        place_call(p, callee);
    else {
        enter(p, COLLECTING);
        start_timer(p);
    }
}

/* --- Incoming calls --- */

static void incoming(enum party p, enum party caller)
{
    switch (screen(p, caller)) {
    case PRESENT:
        present(p, caller);
        send(ALERT, p, caller, 0);
        break;
    case WAIT:
        line[p]->waiting = caller;
        line[p]->waiting_tone = 1;
        if (forward_no_answer)
            start_timer(p);
        send(ALERT, p, caller, 0);
        break;
    case FORWARD:
        if (line[p]->state == IDLE) {
            enter(p, REMINDER);
            start_timer(p);
        }
        send(REDIRECT, p, caller, forward_target());
        break;
    case REFUSE:
        send(REJECT, p, caller, 0);
        break;
    }
}

/* The waiting call is no longer there; the state remains. */
static void stop_waiting(enum party p)
{
    line[p]->waiting = NO_PARTY;
    if (line[p]->state == TALKING) {
#ifndef FAULT_4
        enter(p, TALKING);
#endif
    } else {
        enter(p, RELEASED);
        start_timer(p);
    }
}

/* A call that was presented was not answered in time. */
static void forward_unanswered(enum party p)
{
    if (line[p]->waiting != NO_PARTY) {
        send(REDIRECT, p, line[p]->waiting, forward_target());
        stop_waiting(p);
    } else {
        send(REDIRECT, p, line[p]->peer, forward_target());
        line[p]->peer = NO_PARTY;
        enter(p, IDLE);
    }
}

/* --- The end of a call --- */

static void release(enum party p, enum party other)
{
    disconnect(p, other);
    send(RELEASE, p, other, 0);
}

/* The active call has ended and the receiver is still lifted. */
static void active_call_ended(enum party p)
{
    line[p]->peer = NO_PARTY;
    if (line[p]->held != NO_PARTY) {
        line[p]->peer = line[p]->held;
        line[p]->held = NO_PARTY;
        enter(p, TALKING);
        connect(p, line[p]->peer);
    } else if (line[p]->waiting != NO_PARTY) {
        line[p]->state = RELEASED;
    } else {
        enter(p, RELEASED);
        start_timer(p);
    }
}

static void hang_up(enum party p)
{
    enum party held = line[p]->held;
    enum party waiting = line[p]->waiting;

    if (line[p]->state == TALKING && held != NO_PARTY && call_transfer) {
        disconnect(p, line[p]->peer);
        send(TRANSFER, p, line[p]->peer, held);
        send(TRANSFER, p, held, line[p]->peer);
        held = NO_PARTY;
    } else {
        if (line[p]->state == CONFERENCE) {
            disconnect(held, line[p]->peer);
            release(p, held);
            held = NO_PARTY;
        }
        if (line[p]->peer != NO_PARTY)
            release(p, line[p]->peer);
    }
    line[p]->peer = NO_PARTY;
    line[p]->held = NO_PARTY;
    line[p]->waiting = NO_PARTY;
    if (waiting != NO_PARTY) {
#ifdef FAULT_12
        release(p, waiting);
        enter(p, IDLE);
#else
        present(p, waiting);
#endif
    } else if (held != NO_PARTY) {
        enter(p, RECALL);
        line[p]->peer = held;
    } else {
        enter(p, IDLE);
    }
}

/* A party of the call has hung up. */
static void released(enum party p, enum party other)
{
    disconnect(p, other);
#ifndef FAULT_6
    if (line[p]->state == CONFERENCE)
        disconnect(line[p]->held, line[p]->peer);
#endif
    if (other == line[p]->waiting) {
        stop_waiting(p);
    } else if (other == line[p]->held) {
        line[p]->held = NO_PARTY;
        if (line[p]->state == CONFERENCE)
            enter(p, TALKING);
    } else if (other == line[p]->peer) {
        switch (line[p]->state) {
        case RINGING:
        case RECALL:
            line[p]->peer = NO_PARTY;
#ifdef FAULT_3
            line[p]->state = IDLE;
#else
            enter(p, IDLE);
#endif
            break;
        case ROUTING:
        case RINGBACK:
            line[p]->peer = NO_PARTY;
            enter(p, BLOCKED);
            break;
        default:
            active_call_ended(p);
            break;
        }
    }
}

/* --- Two calls at the same time --- */

/* Exchange the active call and the call on hold. */
static void alternate(enum party p)
{
    enum party held = line[p]->held;

    disconnect(p, line[p]->peer);
    line[p]->held = line[p]->peer;
    line[p]->peer = held;
    connect(p, held);
}

static void answer_waiting(enum party p)
{
    enum party caller = line[p]->waiting;

#ifndef FAULT_5
    if (line[p]->peer != NO_PARTY)
        disconnect(p, line[p]->peer);
#endif
    line[p]->held = line[p]->peer;
    line[p]->peer = caller;
    line[p]->waiting = NO_PARTY;
    enter(p, TALKING);
    send(ANSWER, p, caller, 0);
}

static void start_consultation(enum party p)
{
    disconnect(p, line[p]->peer);
    line[p]->held = line[p]->peer;
    line[p]->peer = NO_PARTY;
    originate(p);
}

static void start_conference(enum party p)
{
    enter(p, CONFERENCE);
    connect(p, line[p]->held);
    connect(line[p]->held, line[p]->peer);
}

static void drop_last_party(enum party p)
{
    release(p, line[p]->peer);
    disconnect(line[p]->held, line[p]->peer);
    line[p]->peer = line[p]->held;
    line[p]->held = NO_PARTY;
    enter(p, TALKING);
}

/* Give up a consultation call and return to the call on hold. */
static void end_consultation(enum party p)
{
    if (line[p]->peer != NO_PARTY)
        release(p, line[p]->peer);
    active_call_ended(p);
}

/* The subscriber has pressed the hook briefly. */
static void flash(enum party p)
{
    switch (line[p]->state) {
    case TALKING:
        if (line[p]->waiting != NO_PARTY)
            answer_waiting(p);
        else if (line[p]->held != NO_PARTY && three_way)
            start_conference(p);
        else if (line[p]->held != NO_PARTY)
            alternate(p);
        else if (three_way && !deny_origination)
            start_consultation(p);
        break;
    case RELEASED:
        if (line[p]->waiting != NO_PARTY)
            answer_waiting(p);
        break;
    case DIALING:
    case COLLECTING:
    case ROUTING:
    case RINGBACK:
    case BLOCKED:
        if (line[p]->held != NO_PARTY)
            end_consultation(p);
        break;
    case CONFERENCE:
        drop_last_party(p);
        break;
    default:
        break;
    }
}

/* --- Replies to an outgoing call --- */

static void transferred(enum party p, enum party from, enum party to)
{
    disconnect(p, from);
    line[p]->peer = to;
    connect(p, to);
}

/* Replies to a call that has been given up in the meantime are ignored: the called party receives
   RELEASE. */
static void reply(enum party p, struct message m)
{
    int expected = m.from == line[p]->peer;

    switch (m.kind) {
    case ALERT:
        if (expected && line[p]->state == ROUTING)
            enter(p, RINGBACK);
        break;
    case ANSWER:
        if (expected && (line[p]->state == ROUTING || line[p]->state == RINGBACK))
            enter(p, TALKING);
        if (expected && line[p]->state == TALKING)
            connect(p, m.from);
        break;
    case REJECT:
        if (expected && line[p]->state == ROUTING) {
            line[p]->peer = NO_PARTY;
            enter(p, BLOCKED);
        }
        break;
    case REDIRECT:
        if (expected && (line[p]->state == ROUTING || line[p]->state == RINGBACK)) {
            line[p]->peer = NO_PARTY;
            place_call(p, (enum party)m.subject);
        }
        break;
    case TRANSFER:
        if (expected && line[p]->state == TALKING)
            transferred(p, m.from, (enum party)m.subject);
        else
            send(RELEASE, p, (enum party)m.subject, 0);
        break;
    default:
        break;
    }
}

/* --- Signals of the subscriber --- */

static void off_hook(enum party p)
{
    switch (line[p]->state) {
    case IDLE:
        originate(p);
        break;
    case REMINDER:
#ifdef FAULT_1
        /* The short ring is completed first. */
        break;
#endif
        originate(p);
        break;
    case RINGING:
    case RECALL:
        enter(p, TALKING);
        send(ANSWER, p, line[p]->peer, 0);
        break;
    default:
        assert(0);
    }
}

static void timeout(enum party p)
{
    switch (line[p]->state) {
    case REMINDER:
        enter(p, IDLE);
#ifdef FAULT_1
        if (line[p]->off_hook)
            originate(p);
#endif
        break;
    case DIALING:
    case COLLECTING:
        enter(p, BLOCKED);
        break;
    case RELEASED:
        if (line[p]->waiting == NO_PARTY)
            enter(p, BLOCKED);
        else
            forward_unanswered(p);
        break;
    case RINGING:
    case TALKING:
        forward_unanswered(p);
        break;
    default:
        break;
    }
}

/* Handle one message. */
void call_event(struct message m)
{
    enum party p = m.to;

    switch (m.kind) {
    case OFF_HOOK:
        off_hook(p);
        break;
    case ON_HOOK:
        hang_up(p);
        break;
    case FLASH:
        flash(p);
        break;
    case DIGIT:
        if (line[p]->state == DIALING || line[p]->state == COLLECTING)
            dial(p, m.subject);
        break;
    case TIMEOUT:
        if (line[p]->timer)
            timeout(p);
        break;
    case SETUP:
        incoming(p, m.from);
        break;
    case RELEASE:
        released(p, m.from);
        break;
    default:
        reply(p, m);
        break;
    }
}
