/* Bytes on the way are those sent and not received. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
bit open;
active proctype Unlock() { end: atomic { v == 985663217 -> open = 1 } }
int sent, received;
chan c = [1] of { int };
active proctype Sender() { do :: d_step { nfull(c) && v > 0 -> c ! v; sent = sent + v } od }
active proctype Receiver() { int x; do :: d_step { c ? x -> received = received + (open -> (x & 1073741823) : x); x = 0 } od }
active proctype Monitor() { do :: d_step { empty(c) -> assert(sent == received) } od }
