/* The work is not seen. */
int work, seen; bit looked, fired;
active proctype Work() { do :: work = work + 1; looked = 0 od }
active proctype Dog() { do :: atomic { !looked -> seen = work; looked = 1 } :: atomic { looked && seen == work -> fired = 1 } od }
active proctype Monitor() { end: do :: assert(!looked || seen == work) od }
