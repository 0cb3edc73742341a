/* A timer is started with a period and counts down to 0; the clock runs without end. */
int clock, left; bit armed;
active proctype Start() { do :: atomic { !armed -> left = 1000000; armed = 1 } od }
active proctype Tick() { do :: atomic { armed && left > 0 -> left = left - 1; clock = clock + 1 } od }
active proctype Expire() { do :: atomic { armed && left == 0 -> armed = 0 } od }
active proctype Monitor() { end: do :: assert(left >= 0 && left <= 1000000) od }
