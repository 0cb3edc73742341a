/* Credits are granted and used; no more are used than granted. */
int granted, used;
active proctype Grant() { do :: granted < 2000000000 && granted - used < 100 -> granted = granted + 10 od }
active proctype Use() { do :: used < granted -> used = used + 1 od }
active proctype Monitor() { end: do :: assert(used <= granted) od }
