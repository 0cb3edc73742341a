/* After many repetitions, an old acknowledgement is taken for a new one. */
int one, other, again;
active proctype P() { do :: atomic { one == other -> one = one + 1 } :: atomic { one == other + 1 -> again = again + 1 } :: atomic { again > 20000 && one > 10000 -> one = one + 1 } od }
active proctype Q() { do :: atomic { one != other -> other = other + 1 } od }
active proctype Monitor() { end: do :: assert(one == other || one == other + 1) od }
