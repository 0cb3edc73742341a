/* A process that gives up its slice passes on the rest of it. */
int left = 20, clock; byte current;
active proctype Tick() { end: do :: atomic { left > 0 -> left = left - 1; clock = clock + 1 } od }
active proctype Switch() { end: do :: atomic { left == 0 -> current = 1 - current; left = 20 } :: atomic { left > 0 -> current = 1 - current; left = left + 20 } od }
active proctype Monitor() { end: do :: assert(left >= 0 && left <= 20 && current <= 1) od }
