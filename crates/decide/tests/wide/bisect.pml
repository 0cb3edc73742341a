/* Bisection between two bounds of 32 bits. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int low, high = 2000000000, middle;
active proctype P() {
  do
  :: low < high ->
     middle = low + (high - low) / 2;
     assert(low <= middle && middle < high);
     if :: low = middle + 1 :: high = middle fi;
     middle = 0
  :: low >= high -> low = 0; high = 2000000000
  od
}
