/* Acknowledgements of any number; numbers of 32 bits that wrap. */
int v;
active proctype Input() { do :: v = v + v :: v = v + v + 1 od }
int first, next;
active proctype Sender() { do :: next - first < 1000 -> next++ od }
active proctype Receiver() { do :: atomic { v - first <= next - first -> first = v } od }
active proctype Monitor() { do :: assert(next - first >= 0 && next - first <= 1000) od }
