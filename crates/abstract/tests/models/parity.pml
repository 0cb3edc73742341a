/* Parity over three stripes (XOR), which is written after its data. */
int one, two, parity, new, old;
active proctype Client() { do :: new = 2 * new :: new = new + 5 :: new = 0 od }
active proctype Writer() {
  idle: do
  :: atomic { old = one ^ new; one = new }; atomic { parity = parity ^ old; old = 0 }
  :: atomic { old = two ^ new; two = new }; atomic { parity = parity ^ old; old = 0 }
  od
}
active proctype Scrub() { end: do :: atomic { Writer@idle -> assert((one ^ two) == parity) } od }
