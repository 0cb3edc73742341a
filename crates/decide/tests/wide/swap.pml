/* Values are exchanged without a third variable. */
int v;
active proctype Input() { do :: v = v + v :: v = v + v + 1 od }
int x, y, a, b;
active proctype P() {
  do
  :: x = v
  :: y = v
  :: d_step { a = x; b = y; x = x ^ y; y = x ^ y; x = x ^ y; assert(x == b && y == a); a = 0; b = 0 }
  od
}
