/* Sums of 16 bits at both ends of a channel agree when it is empty. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
unsigned out : 16; unsigned in : 16;
chan c = [1] of { int };
active proctype Sender() { do :: atomic { nfull(c) -> c ! (v & 65535); out = out + v } od }
active proctype Receiver() { int got; end: do :: atomic { c ? got -> in = in + got; got = 0 } od }
active proctype Monitor() { do :: atomic { empty(c) -> assert(in == out) } od }
