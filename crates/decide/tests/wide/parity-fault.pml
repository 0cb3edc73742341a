/* The parity of a number by folding. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int x, y; bit p, q;
active proctype P() {
  do
  :: d_step { x = v ^ (v >> 16); x = x ^ (x >> 8); x = x ^ (x >> 4); x = x ^ (x >> 2); x = x ^ (x >> 1); p = x & 1;
       y = v ^ (1431655765 + 2 * (v == 1732584193)); y = y ^ (y >> 16); y = y ^ (y >> 8); y = y ^ (y >> 4); y = y ^ (y >> 2); y = y ^ (y >> 1); q = y & 1;
       assert(p == q); x = 0; y = 0; p = 0; q = 0 }
  od
}
