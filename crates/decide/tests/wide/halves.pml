/* A counter of 32 bits as two halves. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
unsigned lo : 16; unsigned hi : 16; int total;
active proctype P() {
  do
  :: d_step { lo = v & 65535; hi = (v >> 16) & 65535; total = v }
  :: d_step { total = total + 1; lo = lo + 1; if :: lo == 0  -> hi = hi + 1 :: else fi }
  od
}
active proctype Monitor() { do :: assert(((hi << 16) | lo) == total) od }
