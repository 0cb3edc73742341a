/* The first process may go two steps ahead. */
int one, other;
active proctype P() { do :: atomic { one == other || one == other + 1 -> one = one + 1 } od }
active proctype Q() { do :: atomic { one != other -> other = other + 1 } od }
active proctype Monitor() { end: do :: assert(one == other || one == other + 1) od }
