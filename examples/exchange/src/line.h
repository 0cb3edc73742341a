/* Lines: what a subscriber does and perceives, and the calls of the line. */
#ifndef LINE_H
#define LINE_H

#include "exchange.h"

struct line {
    /* The port: 0 or 1 each. */
    int off_hook; /* the receiver is lifted */
    int bell;     /* the telephone rings */
    int reminder; /* one short ring: a call was forwarded */
    int dial_tone;
    int ringback_tone;
    int busy_tone;
    int waiting_tone; /* a second call is waiting */

    /* The signal that call processing has not handled yet. */
    enum kind signal;

    /* Call processing. */
    enum state state;
    int timer;          /* a timer runs */
    enum party peer;    /* the active call */
    enum party held;    /* the call on hold */
    enum party waiting; /* the call that waits for an answer beside the active one */
};

extern struct line a, b, trunk;

/* The line of a party. */
extern struct line *const line[PARTIES];

/* A speech path between two parties: 0 or 1. */
extern int path_a_b, path_a_trunk, path_b_trunk;

void connect(enum party x, enum party y);
void disconnect(enum party x, enum party y);

#endif
