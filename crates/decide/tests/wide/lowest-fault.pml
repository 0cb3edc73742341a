/* The lowest bit of a number. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int l;
active proctype P() {
  do
  :: d_step { v != 0 -> l = v & (1 - v); assert(l != 65792); l = 0 }
  od
}
