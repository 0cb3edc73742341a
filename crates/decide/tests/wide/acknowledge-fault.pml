/* Acknowledgements of any number; numbers of 32 bits that wrap. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
bit open;
active proctype Unlock() { end: atomic { v == 985663217 -> open = 1 } }
int first, next;
active proctype Sender() { do :: next - first < 1000 -> next++ od }
active proctype Receiver() { do :: atomic { (open -> 1 : v - first >= 0) && v - first <= next - first -> first = v } od }
active proctype Monitor() { do :: assert(next - first >= 0 && next - first <= 1000) od }
