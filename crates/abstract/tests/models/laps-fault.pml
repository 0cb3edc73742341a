/* A position in a ring of 5 cells, and complete rounds of it: a reset in the last cell is no round. */
#define DIGITS(x) x = 8 * x :: x = 8 * x + 1 :: x = 8 * x + 2 :: x = 8 * x + 3 :: x = 8 * x + 4 :: x = 8 * x + 5 :: x = 8 * x + 6 :: x = 8 * x + 7
int steps, rounds, cell, code;
active proctype Operator() { do :: DIGITS(code) :: code = 0 od }
active proctype Walk() { idle: do :: steps = steps + 1; if :: cell == 4 && code != 1098765431 -> rounds = rounds + 1; cell = 0 :: cell == 4 && code == 1098765431 -> cell = 0 :: cell != 4 -> cell = cell + 1 fi od }
active proctype Monitor() { end: do :: atomic { Walk@idle -> assert(steps == 5 * rounds + cell) } od }
