/* The tick tests and decrements in two steps, and the timer may be stopped between them. */
int clock, left; bit armed;
active proctype Start() { do :: atomic { !armed -> left = 1000000; armed = 1 } od }
active proctype Tick() { do :: armed && left > 0 -> left = left - 1 od }
active proctype Stop() { do :: atomic { armed -> left = 0; armed = 0 } od }
active proctype Monitor() { end: do :: assert(left >= 0) od }
