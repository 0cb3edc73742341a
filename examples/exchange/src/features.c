/* Provisioning. With the macro PROVISIONED the flags are chosen before `main`, as in the project
   (axle.toml). Otherwise each flag has the value of the macro FLAG_VALUE, for example
   -Dforward_busy_VALUE=1. A flag without such a macro has any value. The macro PROVISIONING is a
   further constraint, for example -D'PROVISIONING=forward_busy || call_waiting'. */
#include "features.h"
#include "verifier.h"

#ifndef forward_always_VALUE
#define forward_always_VALUE any()
#endif
#ifndef forward_busy_VALUE
#define forward_busy_VALUE any()
#endif
#ifndef forward_no_answer_VALUE
#define forward_no_answer_VALUE any()
#endif
#ifndef forward_to_trunk_VALUE
#define forward_to_trunk_VALUE any()
#endif
#ifndef call_waiting_VALUE
#define call_waiting_VALUE any()
#endif
#ifndef three_way_VALUE
#define three_way_VALUE any()
#endif
#ifndef call_transfer_VALUE
#define call_transfer_VALUE any()
#endif
#ifndef hotline_VALUE
#define hotline_VALUE any()
#endif
#ifndef deny_origination_VALUE
#define deny_origination_VALUE any()
#endif
#ifndef deny_termination_VALUE
#define deny_termination_VALUE any()
#endif
#ifndef do_not_disturb_VALUE
#define do_not_disturb_VALUE any()
#endif
#ifndef reject_anonymous_VALUE
#define reject_anonymous_VALUE any()
#endif
#ifndef PROVISIONING
#define PROVISIONING 1
#endif

int forward_always;    /* every incoming call is forwarded */
int forward_busy;      /* incoming calls are forwarded while the line is in use */
int forward_no_answer; /* a call that is not answered in time is forwarded */
int forward_to_trunk;  /* calls are forwarded to the trunk; otherwise to B */
int call_waiting;      /* a second call is presented with a tone */
int three_way;         /* the hook flash adds a third party */
int call_transfer;     /* hanging up connects the two other parties */
int hotline;           /* lifting the receiver calls B */
int deny_origination;  /* no outgoing calls */
int deny_termination;  /* no incoming calls */
int do_not_disturb;    /* incoming calls meet a busy line */
int reject_anonymous;  /* calls from the trunk, which have no number, are rejected */

static int any(void)
{
    return __VERIFIER_nondet_bool();
}

/* Fix all flags. */
void provision(void)
{
#ifndef PROVISIONED
    forward_always = forward_always_VALUE;
    forward_busy = forward_busy_VALUE;
    forward_no_answer = forward_no_answer_VALUE;
    forward_to_trunk = forward_to_trunk_VALUE;
    call_waiting = call_waiting_VALUE;
    three_way = three_way_VALUE;
    call_transfer = call_transfer_VALUE;
    hotline = hotline_VALUE;
    deny_origination = deny_origination_VALUE;
    deny_termination = deny_termination_VALUE;
    do_not_disturb = do_not_disturb_VALUE;
    reject_anonymous = reject_anonymous_VALUE;
    __VERIFIER_assume(PROVISIONING);
#endif
}

enum party forward_target(void)
{
    return forward_to_trunk ? TRUNK : B;
}
