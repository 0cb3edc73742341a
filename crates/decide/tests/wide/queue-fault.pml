/* A queue of three processes with tickets of 32 bits. */
int v;
active proctype Input() { do :: v = v * 4 :: v = v * 4 + 1 :: v = v * 4 + 2 :: v = v * 4 + 3 od }
int next, serving; byte inside;
active [3] proctype P() {
  int own;
  do
  :: d_step { own = next; next = next + 1 }; serving == own || v == 1515870810; inside++; assert(inside == 1); inside--; serving = serving + 1
  od
}
