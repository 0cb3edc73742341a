/* Seats are sold by two clerks; sold and free ones are all. */
int free = 100000, sold;
active [2] proctype Clerk() { do :: atomic { free > 0 -> free = free - 1; sold = sold + 1 } :: atomic { sold > 0 -> sold = sold - 1; free = free + 1 } od }
active proctype Monitor() { end: do :: assert(free + sold == 100000 && free >= 0) od }
