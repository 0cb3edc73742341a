#include "line.h"

struct line line[PARTIES];
int hears[PARTIES][PARTIES];

void reset_lines(void)
{
    for (int p = 0; p < PARTIES; p++) {
        line[p].peer = NO_PARTY;
        line[p].held = NO_PARTY;
        line[p].waiting = NO_PARTY;
    }
}

void set_tone(enum party p, enum tone tone)
{
    line[p].tone = tone;
}

void start_bell(enum party p)
{
    line[p].bell = 1;
}

void stop_bell(enum party p)
{
    line[p].bell = 0;
}

void connect(enum party x, enum party y)
{
    hears[x][y] = 1;
    hears[y][x] = 1;
}

void disconnect(enum party x, enum party y)
{
    hears[x][y] = 0;
    hears[y][x] = 0;
}
