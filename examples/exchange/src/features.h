/* The feature flags of subscriber A. They are fixed before the first event. */
#ifndef FEATURES_H
#define FEATURES_H

#include "exchange.h"

extern int forward_always;
extern int forward_busy;
extern int forward_no_answer;
extern int forward_to_trunk;
extern int call_waiting;
extern int three_way;
extern int call_transfer;
extern int hotline;
extern int deny_origination;
extern int deny_termination;
extern int do_not_disturb;
extern int reject_anonymous;

void provision(void);
enum party forward_target(void);

#endif
