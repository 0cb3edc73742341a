/* Lines: the hook, the bell, the tones and the speech paths. */
#ifndef LINE_H
#define LINE_H

#include "exchange.h"

struct line {
    enum hook hook;     /* as last signalled */
    enum kind signal;   /* the signal that call processing has not seen yet */
    enum state state;
    enum tone tone;
    int bell;           /* the telephone rings */
    int timer;          /* a timer runs */
    enum party peer;    /* the active call */
    enum party held;    /* the call on hold */
    enum party waiting; /* the call that is presented with a tone */
};

extern struct line line[PARTIES];

/* hears[x][y]: a speech path leads from y to x. */
extern int hears[PARTIES][PARTIES];

void reset_lines(void);
void set_tone(enum party p, enum tone tone);
void start_bell(enum party p);
void stop_bell(enum party p);
void connect(enum party x, enum party y);
void disconnect(enum party x, enum party y);

#endif
