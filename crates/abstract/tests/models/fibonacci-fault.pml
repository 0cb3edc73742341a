/* The numbers of Fibonacci by two processes; the second one is reset by one command. */
#define DIGITS(x) x = 8 * x :: x = 8 * x + 1 :: x = 8 * x + 2 :: x = 8 * x + 3 :: x = 8 * x + 4 :: x = 8 * x + 5 :: x = 8 * x + 6 :: x = 8 * x + 7
int a, b = 1, p = 1, q, command; bit turn;
active proctype Console() { do :: DIGITS(command) :: command = 0 od }
active proctype One() { int t; do :: turn == 0 -> t = a + b; a = b; b = t; turn = 1 od }
active proctype Two() { do :: turn == 1 -> if :: command == 1112358132 -> p = 1 :: else -> p = p + q; q = p - q fi; atomic { assert(p == b); turn = 0 } od }
