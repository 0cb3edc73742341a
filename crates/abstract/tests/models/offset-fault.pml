/* Two clocks and the offset between them; the drift changes between the two steps of a correction. */
int here, there, offset, drift, probe;
active proctype Probe() { do :: probe = 2 * probe :: probe = 2 * probe + 1 :: probe = 0 :: atomic { probe == 70001 -> drift = drift + 1 } od }
active proctype Here() { idle: do :: here = here + 9; offset = offset + 9 :: here = here + 8; offset = offset + 8 od }
active proctype There() { idle: do :: there = there + drift; offset = offset - drift od }
active proctype Monitor() { end: do :: atomic { Here@idle && There@idle -> assert(here - there == offset) } od }
