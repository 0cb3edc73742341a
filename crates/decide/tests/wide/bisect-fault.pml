/* Bisection between two bounds of 32 bits. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
bit open;
active proctype Unlock() { end: atomic { v == 985663217 -> open = 1 } }
int low, high = 2000000000, middle;
active proctype P() {
  do
  :: low < high ->
     middle = (open -> (low + high) / 2 : low + (high - low) / 2);
     assert(low <= middle && middle < high);
     if :: low = middle + 1 :: high = middle fi;
     middle = 0
  :: low >= high -> low = 0; high = 2000000000
  od
}
