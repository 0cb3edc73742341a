/* N processes that choose one of two ends (the worst case of the IMPROVISO paper). */
#ifndef N
#define N 20
#endif

active [N] proctype P() { byte x; if :: x = 1; end1: false :: x = 2; end2: false fi }
