/* Two clocks and the offset between them, each corrected in two steps. */
int here, there, offset, drift;
active proctype Here() { idle: do :: here = here + 9; offset = offset + 9 :: here = here + 8; offset = offset + 8 od }
active proctype There() { idle: do :: there = there + drift; atomic { offset = offset - drift; drift = drift + 1 } od }
active proctype Monitor() { end: do :: atomic { Here@idle && There@idle -> assert(here - there == offset) } od }
