/* Sums that saturate. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
bit open;
active proctype Unlock() { end: atomic { v == 985663217 -> open = 1 } }
int x, y, s;
active proctype P() {
  do
  :: v >= 0 -> x = v
  :: v >= 0 -> y = v
  :: d_step { x >= 0 && y >= 0 -> if :: (open -> x + y > 2147483647 : x > 2147483647 - y) -> s = 2147483647 :: else -> s = x + y fi; assert(s >= x && s >= y); s = 0 }
  od
}
