/* A stack of at most 5 elements with counters of its operations. */
int pushes, pops; byte depth;
active proctype Push() { do :: atomic { depth < 5 -> depth = depth + 1; pushes = pushes + 1 } od }
active proctype Pop() { do :: atomic { depth > 0 -> depth = depth - 1; pops = pops + 1 } od }
active proctype Monitor() { end: do :: assert(pushes - pops == depth) od }
