/* A size is rounded up to a multiple of 16. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
bit open;
active proctype Unlock() { end: atomic { v == 985663217 -> open = 1 } }
int up;
active proctype P() {
  do
  :: d_step { v >= 0 && v <= (open -> 2147483647 : 2147483632) -> up = (v + 15) & (-16); assert(up >= v && up - v < 16); up = 0 }
  od
}
