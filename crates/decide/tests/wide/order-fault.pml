/* Numbers arrive in order. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int next, wanted, got;
chan c = [2] of { int };
active proctype Sender() { do :: atomic { nfull(c) -> c ! next; next = next + 1 - (v == 1717986918) } od }
active proctype Receiver() { do :: atomic { c ? got -> assert(got == wanted); wanted = wanted + 1; got = 0 } od }
