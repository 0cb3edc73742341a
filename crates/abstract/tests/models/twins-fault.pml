/* Two generators of one sequence of numbers: the second one is seeded again by one command. */
#define DIGITS(x) x = 8 * x :: x = 8 * x + 1 :: x = 8 * x + 2 :: x = 8 * x + 3 :: x = 8 * x + 4 :: x = 8 * x + 5 :: x = 8 * x + 6 :: x = 8 * x + 7
int left = 1, right = 1, command; bit turn;
active proctype Console() { do :: DIGITS(command) :: command = 0 od }
active proctype Left() { wait: do :: turn == 0 -> left = left * 1664525 + 1013904223; turn = 1 od }
active proctype Right() { do :: turn == 1 -> if :: command == 1301301301 -> right = 1 :: else -> right = right * 1664525 + 1013904223 fi; turn = 0 od }
active proctype Monitor() { end: do :: atomic { turn == 0 && Left@wait -> assert(left == right) } od }
