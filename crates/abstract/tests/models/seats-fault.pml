/* The last seat may be sold twice. */
int free = 3, sold;
active [2] proctype Clerk() { do :: free > 0 -> atomic { free = free - 1; sold = sold + 1 } od }
active proctype Monitor() { end: do :: assert(free >= 0) od }
