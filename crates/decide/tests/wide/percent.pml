/* A part in percent of a whole. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int used, total = 1;
active proctype P() {
  do
  :: atomic { v > 0 && v <= 20000000 && v >= used -> total = v }
  :: atomic { v >= 0 && v <= total -> used = v }
  :: d_step { used <= total -> assert(used * 100 >= 0) }
  od
}
