/* Events are at least 100 ticks apart; the clock wraps. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int now, last = -1000;
active proctype Clock() { do :: atomic { v > 0 -> now = now + v } od }
active proctype User() { do :: d_step { now - last >= 100 -> assert(now - last >= 100 || now - last < -1000000000); last = now } od }
