/* The numbers of Fibonacci by two processes; the second one saturates at a number that the first one passes. */
int a, b = 1, p = 1, q; bit turn;
active proctype One() { int t; do :: turn == 0 -> t = a + b; a = b; b = t; turn = 1 od }
active proctype Two() { do :: turn == 1 -> if :: p > 1000000000 -> skip :: else -> p = p + q; q = p - q fi; atomic { assert(p == b); turn = 0 } od }
