/* A period of one length is taken for a request to skip the first tick. */
#define DIGITS(x) x = 8 * x :: x = 8 * x + 1 :: x = 8 * x + 2 :: x = 8 * x + 3 :: x = 8 * x + 4 :: x = 8 * x + 5 :: x = 8 * x + 6 :: x = 8 * x + 7
int clock, left, period; bit armed;
active proctype Set() { do :: DIGITS(period) :: period = 1 od }
active proctype Start() { do :: atomic { !armed && period > 0 -> left = period; armed = 1 } :: atomic { !armed && period == 1073807361 -> left = -1; armed = 1 } od }
active proctype Tick() { do :: atomic { armed && left > 0 -> left = left - 1; clock = clock + 1 } od }
active proctype Expire() { do :: atomic { armed && left == 0 -> armed = 0 } :: atomic { armed -> armed = 0; left = 0 } od }
active proctype Monitor() { end: do :: assert(left >= 0) od }
