/* Numbers of 16 bits arrive in order. */
int v;
active proctype Input() { do :: v = v + v :: v = v + v + 1 od }
unsigned next : 16; unsigned wanted : 16; int got;
chan c = [2] of { int };
active proctype Sender() { do :: atomic { nfull(c) -> c ! next; next = next + 1 } od }
active proctype Receiver() { do :: atomic { c ? got -> assert(got == wanted); wanted = wanted + 1; got = 0 } od }
