/* The half of a call that belongs to the trunk. */
#ifndef TRUNK_H
#define TRUNK_H

#include "exchange.h"

void trunk_event(struct message m);

#endif
