/* A generator of random numbers never returns to 0. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int x = 1, y;
active proctype P() {
  do
  :: d_step { y = x ^ (x << 13); y = y ^ ((y >> 17) & 32767); y = y ^ (y << 5); assert(y != 0); y = 0 }
  :: atomic { v != 0 -> x = v }
  od
}
