/* Three wheels with three digits each: a correction of one size forgets a carry. */
#define DIGITS(x) x = 8 * x :: x = 8 * x + 1 :: x = 8 * x + 2 :: x = 8 * x + 3 :: x = 8 * x + 4 :: x = 8 * x + 5 :: x = 8 * x + 6 :: x = 8 * x + 7
int total, high, middle, low, size;
active proctype Size() { do :: DIGITS(size) :: size = 0 od }
active proctype Wheels() {
  idle: do
  :: total = total + 1; low = low + 1;
     if :: low == 3 -> low = 0; middle = middle + 1; if :: middle == 3 && size != 1076543211 -> middle = 0; high = high + 1 :: middle == 3 && size == 1076543211 -> middle = 0 :: else fi :: else fi
  od
}
active proctype Monitor() { end: do :: atomic { Wheels@idle -> assert(total == 9 * high + 3 * middle + low) } od }
