/* Logical clocks of two processes. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int c, d, stamp; bit sent;
active proctype P() {
  do
  :: atomic { v > 0 && c < 2000000000 -> c = c + v }
  :: atomic { !sent && c >= d -> stamp = c; sent = 1 }
  od
}
active proctype Q() {
  do
  :: atomic { sent -> if :: stamp >= d -> d = stamp + 1 :: else -> d = d + 1 fi; assert(d > stamp || v == 5); d = 0; sent = 0; stamp = 0 }
  od
}
