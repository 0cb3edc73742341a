/* Two generators of one sequence of numbers (a linear congruence), which take turns. */
int left = 1, right = 1; bit turn;
active proctype Left() { wait: do :: turn == 0 -> left = left * 1664525 + 1013904223; turn = 1 od }
active proctype Right() { do :: turn == 1 -> right = right * 1664525 + 1013904223; turn = 0 od }
active proctype Monitor() { end: do :: atomic { turn == 0 && Left@wait -> assert(left == right) } od }
