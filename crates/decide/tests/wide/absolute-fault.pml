/* The absolute value of a number of 32 bits; the least one has none. */
int v;
active proctype Input() { do :: v = v + v :: v = v + v + 1 od }
int y;
active proctype P() {
  do
  :: d_step { v >= -2147483647 - 1 -> if :: v < 0 -> y = -v :: else -> y = v fi; assert(y >= 0); y = 0 }
  od
}
