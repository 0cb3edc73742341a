/* The half of a call that belongs to a subscriber. */
#ifndef CALL_H
#define CALL_H

#include "exchange.h"

void call_event(struct message m);

#endif
