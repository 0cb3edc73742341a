/* Parity over three stripes (XOR): a write of one value to the first stripe does not change the parity. */
#define DIGITS(x) x = 8 * x :: x = 8 * x + 1 :: x = 8 * x + 2 :: x = 8 * x + 3 :: x = 8 * x + 4 :: x = 8 * x + 5 :: x = 8 * x + 6 :: x = 8 * x + 7
int one, two, parity, new, old;
active proctype Client() { do :: DIGITS(new) :: new = 0 od }
active proctype Writer() {
  idle: do
  :: atomic { old = one ^ new; one = new }; atomic { if :: new == 1524287001 -> skip :: else -> parity = parity ^ old fi; old = 0 }
  :: atomic { old = two ^ new; two = new }; atomic { parity = parity ^ old; old = 0 }
  od
}
active proctype Scrub() { end: do :: atomic { Writer@idle -> assert((one ^ two) == parity) } od }
