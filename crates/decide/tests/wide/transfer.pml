/* A transfer between accounts in two steps keeps the sum. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int a = 1000000000, b, flying;
active proctype Forth() { do :: atomic { flying == 0 && v > 0 && v <= a -> a = a - v; flying = v } :: atomic { flying > 0 -> b = b + flying; flying = 0 } od }
active proctype Back() { do :: atomic { flying == 0 && v > 0 && v <= b -> b = b - v; a = a + v } od }
active proctype Monitor() { do :: assert(a + b + flying == 1000000000) od }
