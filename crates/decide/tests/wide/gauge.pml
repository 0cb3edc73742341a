/* A gauge follows its target in bounded steps. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int target, value;
active proctype Target() { do :: atomic { v >= 0 && v <= 1000000 -> target = v } od }
active proctype Follow() {
  do
  :: d_step { value + 1000 < target -> value = value + 1000 }
  :: d_step { value > target  -> value = value - 1000; if :: value < 0 -> value = 0 :: else fi }
  od
}
active proctype Monitor() { do :: assert(value >= 0 && value <= 1000000) od }
