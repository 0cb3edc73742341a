/* The message queue of the exchange: first in, first out. */
#ifndef QUEUE_H
#define QUEUE_H

#include "exchange.h"

#define QUEUE_LENGTH 6

extern int queued;

void send(enum kind kind, enum party from, enum party to, int subject);
struct message receive(void);

#endif
