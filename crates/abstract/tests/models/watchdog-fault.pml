/* The watchdog compares 15 bits: it does not see 32768 units of work. */
int work, seen; bit looked, fired;
active proctype Work() { do :: work = work + 1 od }
active proctype Dog() { do :: atomic { !looked -> seen = work; looked = 1 } :: atomic { looked && (seen & 32767) == (work & 32767) -> fired = 1; assert(seen == work); fired = 0; looked = 0 } :: atomic { looked && (seen & 32767) != (work & 32767) -> looked = 0 } od }
