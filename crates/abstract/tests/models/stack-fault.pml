/* A debugger that has looked at the stack very often counts a pop of the empty stack. */
int pushes, pops, looks; byte depth;
active proctype Push() { do :: atomic { depth < 5 -> depth = depth + 1; pushes = pushes + 1 } od }
active proctype Pop() { do :: atomic { depth > 0 -> depth = depth - 1; pops = pops + 1 } :: atomic { depth == 0 && looks > 30000 && pops > 9000 -> pops = pops + 1 } od }
active proctype Look() { do :: looks = looks + 1 od }
active proctype Monitor() { end: do :: assert(pushes - pops == depth) od }
