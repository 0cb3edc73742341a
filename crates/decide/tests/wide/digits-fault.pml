/* The last decimal digit and the rest. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
bit open;
active proctype Unlock() { end: atomic { v == 985663217 -> open = 1 } }
int q, r;
active proctype P() {
  do
  :: d_step { v >= 0 -> q = v / 10; r = v % 10; assert(r < 10 - (open -> (q == 123456) : 0) && q * 10 + r == v); q = 0; r = 0 }
  od
}
