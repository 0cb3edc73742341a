/* Sums that saturate. */
int v;
active proctype Input() { do :: v = v + v :: v = v + v + 1 od }
int x, y, s;
active proctype P() {
  do
  :: v >= 0 -> x = v
  :: v >= 0 -> y = v
  :: d_step { x >= 0 && y >= 0 -> if :: x + y > 2147483647 -> s = 2147483647 :: else -> s = x + y fi; assert(s >= x && s >= y); s = 0 }
  od
}
