/* The middle of two numbers of 32 bits. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int low, high, middle;
active proctype P() {
  do
  :: v >= 0 -> low = v
  :: v >= 0 -> high = v
  :: d_step { low >= 0 && low <= high -> middle = low + (high - low) / 2; assert(middle >= low && middle <= high); middle = 0 }
  od
}
