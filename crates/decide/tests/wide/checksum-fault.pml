/* Sums of 16 bits at both ends of a channel agree when it is empty. */
unsigned out : 16; unsigned in : 16; unsigned value : 16;
chan c = [1] of { int };
active proctype Sender() {
  do
  :: value = value * 5 + 3
  :: value = value / 2
  :: atomic { nfull(c) -> c ! value; out = out + value }
  od
}
active proctype Receiver() { int got; end: do :: atomic { c ? got -> in = in + (got & 1023) } od }
active proctype Monitor() { do :: atomic { empty(c) -> assert(in == out) } od }
