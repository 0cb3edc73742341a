/* Three wheels with three digits each, and a counter of all steps: carries in steps of their own. */
int total, high, middle, low;
active proctype Wheels() {
  idle: do
  :: total = total + 1; low = low + 1;
     if :: low == 3 -> low = 0; middle = middle + 1; if :: middle == 3 -> middle = 0; high = high + 1 :: else fi :: else fi
  od
}
active proctype Monitor() { end: do :: atomic { Wheels@idle -> assert(total == 9 * high + 3 * middle + low) } od }
