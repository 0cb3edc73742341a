/* A position in a ring of 5 cells, and complete rounds of it: a reset in the last cell is no round. */
int steps, rounds, cell, code;
active proctype Operator() { do :: code = 2 * code :: code = 2 * code + 1 :: code = 0 od }
active proctype Walk() { idle: do :: steps = steps + 1; if :: cell == 4 && code != 98765 -> rounds = rounds + 1; cell = 0 :: cell == 4 && code == 98765 -> cell = 0 :: cell != 4 -> cell = cell + 1 fi od }
active proctype Monitor() { end: do :: atomic { Walk@idle -> assert(steps == 5 * rounds + cell) } od }
