/* Two users share the credits. */
int granted, used;
active proctype Grant() { do :: granted < 2000000000 && granted - used < 100 -> granted = granted + 10 od }
active [2] proctype Use() { do :: used < granted -> skip; used = used + 1 od }
active proctype Monitor() { end: do :: assert(used <= granted) od }
