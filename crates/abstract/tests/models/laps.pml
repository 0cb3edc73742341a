/* A position in a ring of 5 cells, and complete rounds of it, against a counter of all steps. */
int steps, rounds, cell;
active proctype Walk() { idle: do :: steps = steps + 1; if :: cell == 4 -> rounds = rounds + 1; cell = 0 :: else -> cell = cell + 1 fi od }
active proctype Monitor() { end: do :: atomic { Walk@idle -> assert(steps == 5 * rounds + cell) } od }
