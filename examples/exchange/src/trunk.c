/* Call processing for the trunk. The remote switch signals with DIGIT (it calls a subscriber),
   OFF_HOOK (its subscriber answers) and ON_HOOK (it clears the call). */
#include "line.h"
#include "queue.h"
#include "route.h"
#include "trunk.h"

static void clear_trunk(void)
{
    trunk.peer = NO_PARTY;
    trunk.state = IDLE;
    trunk.bell = 0;
}

static void call_subscriber(enum party callee)
{
    if (callee == TRUNK) {
        clear_trunk();
        return;
    }
    trunk.peer = callee;
    trunk.state = ROUTING;
    send(SETUP, TRUNK, callee, 0);
}

/* A subscriber calls a number of the remote switch. */
static void outgoing(enum party caller)
{
    if (trunk.state != IDLE) {
        send(REJECT, TRUNK, caller, 0);
        return;
    }
    trunk.state = RINGING;
    trunk.peer = caller;
    trunk.bell = 1;
    send(ALERT, TRUNK, caller, 0);
}

static void remote_answers(void)
{
    if (trunk.state == RINGING) {
        trunk.state = TALKING;
        trunk.bell = 0;
        send(ANSWER, TRUNK, trunk.peer, 0);
    }
}

static void remote_clears(void)
{
    if (trunk.state != IDLE) {
        disconnect(TRUNK, trunk.peer);
        send(RELEASE, TRUNK, trunk.peer, 0);
        clear_trunk();
    }
}

static void trunk_reply(struct message m)
{
    int expected = m.from == trunk.peer;
    int calling = trunk.state == ROUTING || trunk.state == RINGBACK;

    switch (m.kind) {
    case ALERT:
        if (expected && calling)
            trunk.state = RINGBACK;
        break;
    case ANSWER:
        if (expected && calling)
            trunk.state = TALKING;
        if (expected && trunk.state == TALKING)
            connect(TRUNK, m.from);
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
        if (expected && trunk.state == TALKING) {
            disconnect(TRUNK, m.from);
            trunk.peer = (enum party)m.subject;
            connect(TRUNK, trunk.peer);
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
        if (trunk.state == IDLE)
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
