/* The writer allows one item too many, and overwrites the oldest one. */
int head, tail, cells[4];
active proctype Put() { end: do :: atomic { tail - head <= 4 -> cells[tail & 3] = tail; tail = tail + 1 } od }
active proctype Get() { end: do :: atomic { tail != head -> assert(cells[head & 3] == head); head = head + 1 } od }
