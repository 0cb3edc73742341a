/* The slot of a key in a table of 1000 places. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int h;
active proctype P() {
  do
  :: d_step { h = ((v & 2147483647) % 1000); assert(h >= 0 && h < 1000); h = 0 }
  od
}
