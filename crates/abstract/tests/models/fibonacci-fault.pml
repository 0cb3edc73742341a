/* The numbers of Fibonacci by two processes; the second one is reset by one command. */
int a, b = 1, p = 1, q, command; bit turn;
active proctype Console() { do :: command = 2 * command :: command = 2 * command + 1 :: command = 0 od }
active proctype One() { int t; do :: turn == 0 -> t = a + b; a = b; b = t; turn = 1 od }
active proctype Two() { do :: turn == 1 -> if :: command == 112358 -> p = 1 :: else -> p = p + q; q = p - q fi; atomic { assert(p == b); turn = 0 } od }
