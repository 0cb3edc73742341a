#include "features.h"
#include "line.h"
#include "route.h"

/* The subscriber that a digit names, or NO_PARTY if the number is incomplete. */
enum party analyse(int digit)
{
    switch (digit) {
    case DIGIT_A:
        return A;
    case DIGIT_B:
        return B;
    default:
        return NO_PARTY;
    }
}

/* A second call can be presented if exactly one call is active and none is held or waiting. */
static int can_wait(enum party p)
{
    return line[p]->state == TALKING && line[p]->held == NO_PARTY && line[p]->waiting == NO_PARTY;
}

static int is_idle(enum party p)
{
    return !line[p]->off_hook && (line[p]->state == IDLE || line[p]->state == REMINDER);
}

/* Decide how an incoming call is treated. The order of the tests is the order of precedence of the
   features (requirements/priorities.md). */
enum treatment screen(enum party callee, enum party caller)
{
    if (callee == A) {
        if (deny_termination)
            return REFUSE;
        if (reject_anonymous && caller == TRUNK)
            return REFUSE;
#ifdef FAULT_8
        if (forward_always)
            return FORWARD;
#endif
        if (do_not_disturb)
            return REFUSE;
#ifdef FAULT_2
        if (forward_always && !is_idle(callee))
            return FORWARD;
#else
        if (forward_always)
            return FORWARD;
#endif
    }
    if (is_idle(callee))
        return PRESENT;
    if (callee == A) {
#ifdef FAULT_7
        if (forward_busy)
            return FORWARD;
#endif
        if (call_waiting && can_wait(callee))
            return WAIT;
        if (forward_busy)
            return FORWARD;
    }
    return REFUSE;
}
