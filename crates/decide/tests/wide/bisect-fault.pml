/* Bisection between two bounds of 32 bits. */
int low, high = 2000000000, middle;
active proctype P() {
  do
  :: low < high ->
     middle = (low + high) / 2;
     assert(low <= middle && middle < high);
     if :: low = middle + 1 :: high = middle fi;
     middle = 0
  :: low >= high -> low = 0; high = 2000000000
  od
}
