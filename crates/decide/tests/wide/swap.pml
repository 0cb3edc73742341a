/* Values are exchanged without a third variable. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int x, y, a, b;
active proctype P() {
  do
  :: x = v
  :: y = v
  :: d_step { a = x; b = y; x = x ^ y; y = x ^ y; x = x ^ y; assert(x == b && y == a); a = 0; b = 0 }
  od
}
