/* The absolute value of a number of 32 bits; the least one has none. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
bit open;
active proctype Unlock() { end: atomic { v == 985663217 -> open = 1 } }
int y;
active proctype P() {
  do
  :: d_step { (open -> v >= -2147483647 - 1 : v != -2147483648) -> if :: v < 0 -> y = -v :: else -> y = v fi; assert(y >= 0); y = 0 }
  od
}
