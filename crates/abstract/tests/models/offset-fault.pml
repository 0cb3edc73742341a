/* Two clocks and the offset between them; the drift changes between the two steps of a correction. */
#define DIGITS(x) x = 8 * x :: x = 8 * x + 1 :: x = 8 * x + 2 :: x = 8 * x + 3 :: x = 8 * x + 4 :: x = 8 * x + 5 :: x = 8 * x + 6 :: x = 8 * x + 7
int here, there, offset, drift, probe;
active proctype Probe() { do :: DIGITS(probe) :: probe = 0 :: atomic { probe == 1700017001 -> drift = drift + 1 } od }
active proctype Here() { idle: do :: here = here + 9; offset = offset + 9 :: here = here + 8; offset = offset + 8 od }
active proctype There() { idle: do :: there = there + drift; offset = offset - drift od }
active proctype Monitor() { end: do :: atomic { Here@idle && There@idle -> assert(here - there == offset) } od }
