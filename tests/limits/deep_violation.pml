/* A violation at the end of one long path. */
#ifndef N
#define N 8000000
#endif
int i;
active proctype A() { do :: i < N -> i++ :: else -> break od; assert(false) }
