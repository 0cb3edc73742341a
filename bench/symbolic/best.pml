/* N processes with three locations each, without shared variables (the best case of the IMPROVISO paper). */
#ifndef N
#define N 20
#endif

active [N] proctype P() { byte x; do :: x = 1; x = 2; x = 0 od }
