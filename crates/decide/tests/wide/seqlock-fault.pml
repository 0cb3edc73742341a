/* Two words that are written between two increments of a version. */
int v;
active proctype Input() { do :: v = v + v :: v = v + v + 1 od }
int version, a, b;
active proctype Writer() {
  int local;
  do
  :: d_step { local = v; if :: local == 858993459 -> version++ :: else fi; version++ }; a = local; b = local; version++
  od
}
active proctype Reader() { do :: atomic { version % 2 == 0 -> assert(a == b) } od }
