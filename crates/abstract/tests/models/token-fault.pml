/* A monitor that has repaired the ring often creates a second token. */
int serial, left, right, repairs; bit at;
active proctype Left() { do :: atomic { at == 0 -> serial = serial + 1; left = serial; at = 1 } od }
active proctype Right() { do :: atomic { at == 1 -> serial = serial + 1; right = serial; at = 0 } od }
active proctype Repair() { do :: repairs = repairs + 1 :: atomic { repairs > 15000 && right > 16000 -> serial = serial + 1; at = 1 } od }
active proctype Monitor() { end: do :: assert(at == 0 || left == serial) od }
