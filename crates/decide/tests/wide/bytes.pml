/* Bytes on the way are those sent and not received. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int sent, received;
chan c = [1] of { int };
active proctype Sender() { do :: d_step { nfull(c) && v > 0 -> c ! v; sent = sent + v } od }
active proctype Receiver() { int x; do :: d_step { c ? x -> received = received + x; x = 0 } od }
active proctype Monitor() { do :: d_step { empty(c) -> assert(sent == received) } od }
