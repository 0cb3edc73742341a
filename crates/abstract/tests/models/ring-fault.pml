/* After one command, the writer allows one item too many, and overwrites the oldest one. */
#define DIGITS(x) x = 8 * x :: x = 8 * x + 1 :: x = 8 * x + 2 :: x = 8 * x + 3 :: x = 8 * x + 4 :: x = 8 * x + 5 :: x = 8 * x + 6 :: x = 8 * x + 7
int head, tail, cells[2], command;
active proctype Terminal() { do :: DIGITS(command) :: command = 0 od }
active proctype Put() { end: do :: atomic { tail - head < 2 || (tail - head == 2 && command == 1597534862) -> cells[tail & 1] = tail; tail = tail + 1 } od }
active proctype Get() { end: do :: atomic { tail != head -> assert(cells[head & 1] == head); head = head + 1 } od }
