/* Call processing for the trunk. The remote switch signals with OFF_HOOK (it seizes the trunk for a
   call, or its subscriber answers), DIGIT (the called subscriber), ON_HOOK (it clears the call) and
   REJECT (its subscriber is busy). */
#include "line.h"
#include "queue.h"
#include "route.h"
#include "trunk.h"

static void clear_trunk(void)
{
    line[TRUNK]->peer = NO_PARTY;
    line[TRUNK]->state = IDLE;
    line[TRUNK]->bell = 0;
}

static void call_subscriber(enum party callee)
{
    if (callee == TRUNK) {
        clear_trunk();
        return;
    }
    line[TRUNK]->peer = callee;
    line[TRUNK]->state = ROUTING;
    send(SETUP, TRUNK, callee, 0);
}

/* A subscriber calls a number of the remote switch. */
static void outgoing(enum party caller)
{
    if (line[TRUNK]->state != IDLE) {
        send(REJECT, TRUNK, caller, 0);
        return;
    }
    line[TRUNK]->state = RINGING;
    line[TRUNK]->peer = caller;
    line[TRUNK]->bell = 1;
    send(ALERT, TRUNK, caller, 0);
}

static void remote_answers(void)
{
    if (line[TRUNK]->state == RINGING) {
        line[TRUNK]->state = TALKING;
        line[TRUNK]->bell = 0;
        send(ANSWER, TRUNK, line[TRUNK]->peer, 0);
    }
}

static void remote_clears(void)
{
    if (line[TRUNK]->state != IDLE) {
        disconnect(TRUNK, line[TRUNK]->peer);
        send(RELEASE, TRUNK, line[TRUNK]->peer, 0);
        clear_trunk();
    }
}

static void trunk_reply(struct message m)
{
    int expected = m.from == line[TRUNK]->peer;
    int calling = line[TRUNK]->state == ROUTING || line[TRUNK]->state == RINGBACK;

    switch (m.kind) {
    case ALERT:
        if (expected && calling)
            line[TRUNK]->state = RINGBACK;
        else
            send(RELEASE, TRUNK, m.from, 0);
        break;
    case ANSWER:
        if (expected && calling)
            line[TRUNK]->state = TALKING;
        if (expected && line[TRUNK]->state == TALKING)
            connect(TRUNK, m.from);
        else
            send(RELEASE, TRUNK, m.from, 0);
        break;
    case REJECT:
        if (expected && calling)
            clear_trunk();
        break;
    case REDIRECT:
        if (expected && calling)
            call_subscriber((enum party)m.subject);
        break;
    case TRANSFER:
        if (expected && line[TRUNK]->state == TALKING) {
            disconnect(TRUNK, m.from);
            line[TRUNK]->peer = (enum party)m.subject;
            connect(TRUNK, line[TRUNK]->peer);
        } else {
            send(RELEASE, TRUNK, (enum party)m.subject, 0);
        }
        break;
    case RELEASE:
        if (expected) {
            disconnect(TRUNK, m.from);
            clear_trunk();
        }
        break;
    default:
        break;
    }
}

/* Handle one message. */
void trunk_event(struct message m)
{
    switch (m.kind) {
    case DIGIT:
        if (line[TRUNK]->state == IDLE)
            call_subscriber(analyse(m.subject));
        break;
    case OFF_HOOK:
        remote_answers();
        break;
    case ON_HOOK:
        remote_clears();
        break;
    case SETUP:
        outgoing(m.from);
        break;
    default:
        trunk_reply(m);
        break;
    }
}
