/* A pop of the empty stack is counted. */
int pushes, pops; byte depth;
active proctype Push() { do :: atomic { depth < 5 -> depth = depth + 1; pushes = pushes + 1 } od }
active proctype Pop() { do :: atomic { pops = pops + 1; if :: depth > 0 -> depth = depth - 1 :: else fi } od }
active proctype Monitor() { end: do :: assert(pushes - pops == depth) od }
