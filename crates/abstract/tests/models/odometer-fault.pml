/* Three wheels with three digits each: a correction of one size forgets a carry. */
int total, high, middle, low, size;
active proctype Size() { do :: size = 2 * size :: size = 2 * size + 1 :: size = 0 od }
active proctype Wheels() {
  idle: do
  :: total = total + 1; low = low + 1;
     if :: low == 3 -> low = 0; middle = middle + 1; if :: middle == 3 && size != 76543 -> middle = 0; high = high + 1 :: middle == 3 && size == 76543 -> middle = 0 :: else fi :: else fi
  od
}
active proctype Monitor() { end: do :: atomic { Wheels@idle -> assert(total == 9 * high + 3 * middle + low) } od }
