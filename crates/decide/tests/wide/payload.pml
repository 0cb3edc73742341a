/* A payload of 32 bits crosses two channels unchanged. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int sent, got; bit busy;
chan a = [1] of { int };
chan b = [1] of { int };
active proctype Sender() { do :: atomic { !busy -> sent = v; busy = 1; a ! sent } od }
active proctype Relay() { int x; do :: a ? x; b ! x; x = 0 od }
active proctype Receiver() { do :: atomic { b ? got -> assert(got == sent); got = 0; sent = 0; busy = 0 } od }
