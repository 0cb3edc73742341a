/* A scheduler gives slices of 20 ticks; the rest of a slice is lost, and the clock counts all of them. */
int left = 20, clock; byte current;
active proctype Tick() { end: do :: atomic { left > 0 -> left = left - 1; clock = clock + 1 } od }
active proctype Switch() { end: do :: atomic { left == 0 -> current = 1 - current; left = 20 } :: atomic { left > 0 -> current = 1 - current; left = 20 } od }
active proctype Monitor() { end: do :: assert(left >= 0 && left <= 20 && current <= 1) od }
