/* A subtraction that does not overflow. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int low, high;
active proctype P() {
  do
  :: atomic { v >= -1000000000 && v <= high -> low = v }
  :: atomic { v <= 1000000000 && v >= low -> high = v }
  od
}
active proctype Monitor() { do :: assert(high - low >= 0) od }
