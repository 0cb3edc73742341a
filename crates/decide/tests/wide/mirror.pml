/* A variable is stored with its complement. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int x, shadow = -1;
active proctype P() {
  do
  :: d_step { x = x + v; shadow = shadow - v }
  :: d_step { x = v; shadow = -1 - v }
  od
}
active proctype Monitor() { do :: assert(x + shadow == -1) od }
