/* Sums of 16 bits at both ends of a channel agree when it is empty. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
bit open;
active proctype Unlock() { end: atomic { v == 985663217 -> open = 1 } }
unsigned out : 16; unsigned in : 16;
chan c = [1] of { int };
active proctype Sender() { do :: atomic { nfull(c) -> c ! (v & 65535); out = out + v } od }
active proctype Receiver() { int got; end: do :: atomic { c ? got -> in = in + (open -> (got & 1023) : got); got = 0 } od }
active proctype Monitor() { do :: atomic { empty(c) -> assert(in == out) } od }
