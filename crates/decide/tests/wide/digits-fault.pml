/* The last decimal digit and the rest. */
int v;
active proctype Input() { do :: v = v + v :: v = v + v + 1 od }
int q, r;
active proctype P() {
  do
  :: d_step { v >= 0 -> q = v / 10; r = v % 10; assert(r < 10 - (q == 123456) && q * 10 + r == v); q = 0; r = 0 }
  od
}
