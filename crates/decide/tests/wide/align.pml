/* A size is rounded up to a multiple of 16. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int up;
active proctype P() {
  do
  :: d_step { v >= 0 && v <= 2147483632 -> up = (v + 15) & (-16); assert(up >= v && up - v < 16); up = 0 }
  od
}
