/* Squares modulo 8, of numbers of 16 bits. */
unsigned x : 16; int y;
active proctype P() {
  do
  :: x = x * 7 + 1
  :: x = x / 3
  :: x = x ^ 21845
  :: d_step { y = x * x; assert(y % 8 == 0 || y % 8 == 1 || y % 8 == 4 || y < 0); y = 0 }
  od
}
