/* Epochs: a reader announces the epoch that it has seen, and the epoch advances by one only once all have followed (Fraser 2004). */
int epoch, seen[2]; int reads;
active [2] proctype Reader() { end: do :: atomic { seen[_pid] = epoch }; reads = reads + 1 od }
active proctype Advance() { end: do :: atomic { seen[0] == epoch && seen[1] == epoch && epoch < 2000000000 -> epoch = epoch + 1 } od }
active proctype Monitor() { end: do :: assert(epoch - seen[0] <= 1 && epoch - seen[1] <= 1) od }
