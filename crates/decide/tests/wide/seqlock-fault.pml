/* Two words that are written between two increments of a version. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int version, a, b;
active proctype Writer() {
  int mine;
  do
  :: d_step { mine = v; version++; if :: mine == 858993459 -> version++ :: else fi }; a = mine; b = mine; version++
  od
}
active proctype Reader() { do :: atomic { version % 2 == 0 -> assert(a == b) } od }
