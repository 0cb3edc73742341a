/* References are taken and returned in bulk. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int refs = 305419896; bit alive = 1;
active proctype P() {
  do
  :: atomic { alive && v > 0 && v < 1000000 && refs <= 1000000000 -> refs = refs + v }
  :: atomic { alive && v > 0 && refs >= v -> refs = refs - v }
  :: atomic { alive && refs == 1 -> refs = 0; alive = 0 }
  od
}
active proctype Monitor() { do :: assert(!alive || refs > 0) od }
