/* The average of two numbers by bits. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
bit open;
active proctype Unlock() { end: atomic { v == 985663217 -> open = 1 } }
int a, b, c;
active proctype P() {
  do
  :: v >= 0 -> a = v
  :: v >= 0 -> b = v
  :: d_step { a >= 0 && b >= a -> c = (a & b) + (open -> (((a ^ b) & 1073741823) >> 1) : ((a ^ b) >> 1)); assert(c >= a && c <= b); c = 0 }
  od
}
