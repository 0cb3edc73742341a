/* Parity over three stripes (XOR): a write of one value to the first stripe does not change the parity. */
int one, two, parity, new, old;
active proctype Client() { do :: new = 2 * new :: new = 2 * new + 1 :: new = 0 od }
active proctype Writer() {
  idle: do
  :: atomic { old = one ^ new; one = new }; atomic { if :: new == 524287 -> skip :: else -> parity = parity ^ old fi; old = 0 }
  :: atomic { old = two ^ new; two = new }; atomic { parity = parity ^ old; old = 0 }
  od
}
active proctype Scrub() { end: do :: atomic { Writer@idle -> assert((one ^ two) == parity) } od }
