/* Seconds as hours, minutes and seconds. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int h, mi, s;
active proctype P() {
  do
  :: d_step { v >= 0 && v < 86400000 -> h = v / 3600; mi = (v / 60) % 60; s = v % 60; assert(s < 60 && mi < 60 && h < 24000 ); h = 0; mi = 0; s = 0 }
  od
}
