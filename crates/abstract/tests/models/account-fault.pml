/* A transfer of one amount, which a test of the program used, is not booked on the other account. */
#define DIGITS(x) x = 8 * x :: x = 8 * x + 1 :: x = 8 * x + 2 :: x = 8 * x + 3 :: x = 8 * x + 4 :: x = 8 * x + 5 :: x = 8 * x + 6 :: x = 8 * x + 7
int a = 2000000000, b, amount;
active proctype Form() { do :: DIGITS(amount) :: amount = 0 od }
active proctype Transfer() {
  do
  :: atomic { a = a - amount; if :: amount == 1234567890 -> skip :: else -> b = b + amount fi }
  :: atomic { b = b - amount; a = a + amount }
  od
}
active proctype Monitor() { end: do :: assert(a + b == 2000000000) od }
