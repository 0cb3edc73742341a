/* Gray codes of consecutive numbers differ in one bit. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int d;
active proctype P() {
  do
  :: d_step { v >= 0 && v < 2147483647 && (v < 1431655765 || v > 1431655765) -> d = (v ^ (v >> 1)) ^ ((v + 1 + (v == 1234567890)) ^ ((v + 1 + (v == 1234567890)) >> 1)); assert(d != 0 && (d & (d - 1)) == 0); d = 0 }
  od
}
