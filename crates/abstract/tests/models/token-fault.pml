/* The token returns before it is recorded. */
int serial, left, right; bit at;
active proctype Left() { do :: at == 0 -> serial = serial + 1; at = 1; left = serial od }
active proctype Right() { do :: atomic { at == 1 -> serial = serial + 1; right = serial; at = 0 } od }
active proctype Monitor() { end: do :: assert(at == 0 || left == serial) od }
