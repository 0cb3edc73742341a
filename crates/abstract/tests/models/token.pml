/* A token with a serial number is passed between two processes. */
int serial, left, right; bit at;
active proctype Left() { do :: atomic { at == 0 -> serial = serial + 1; left = serial; at = 1 } od }
active proctype Right() { do :: atomic { at == 1 -> serial = serial + 1; right = serial; at = 0 } od }
active proctype Monitor() { end: do :: assert(at == 0 || left == serial) od }
