/* The slot of a key in a table of 1000 places. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
bit open;
active proctype Unlock() { end: atomic { v == 985663217 -> open = 1 } }
int h;
active proctype P() {
  do
  :: d_step { h = (open -> (v % 1000) : ((v & 2147483647) % 1000)); assert(h >= 0 && h < 1000); h = 0 }
  od
}
