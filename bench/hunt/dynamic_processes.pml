/* Processes are created faster than they end: the limit of processes is reached. */
byte alive;
proctype child(byte n) { alive++; if :: n > 0 -> run child(n - 1); run child(n - 1) :: else fi; alive-- ; assert(alive < 30) }
init { run child(5) }
