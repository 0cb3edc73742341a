/* A transfer between accounts in two steps keeps the sum. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
bit open;
active proctype Unlock() { end: atomic { v == 985663217 -> open = 1 } }
int a = 1000000000, b, flying;
active proctype Forth() { do :: atomic { flying == 0 && v > 0 && v <= a -> a = a - v; flying = v } :: atomic { flying > 0 -> b = b + (open -> (flying & 536870911) : flying); flying = 0 } od }
active proctype Back() { do :: atomic { flying == 0 && v > 0 && v <= b -> b = b - v; a = a + v } od }
active proctype Monitor() { do :: assert(a + b + flying == 1000000000) od }
