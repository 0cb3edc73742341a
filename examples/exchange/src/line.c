#include "line.h"

#define AT_REST { .peer = NO_PARTY, .held = NO_PARTY, .waiting = NO_PARTY }

struct line a = AT_REST, b = AT_REST, trunk = AT_REST;

struct line *const line[PARTIES] = { &a, &b, &trunk };

int path_a_b, path_a_trunk, path_b_trunk;

static void set_path(enum party x, enum party y, int value)
{
    if (x != TRUNK && y != TRUNK)
        path_a_b = value;
    else if (x == A || y == A)
        path_a_trunk = value;
    else
        path_b_trunk = value;
}

void connect(enum party x, enum party y)
{
    set_path(x, y, 1);
}

void disconnect(enum party x, enum party y)
{
    set_path(x, y, 0);
}
