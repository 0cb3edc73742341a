/* The numbers of Fibonacci, by one process with a third variable and by another one without. */
int a, b = 1, p = 1, q; bit turn;
active proctype One() { int t; do :: turn == 0 -> t = a + b; a = b; b = t; turn = 1 od }
active proctype Two() { do :: turn == 1 -> p = p + q; q = p - q; atomic { assert(p == b); turn = 0 } od }
