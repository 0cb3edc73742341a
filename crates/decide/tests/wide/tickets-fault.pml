/* A lock with tickets of 16 bits that wrap. */
unsigned next : 16; unsigned serving : 16; byte inside;
active [2] proctype P() {
  unsigned own : 16;
  do
  :: d_step { own = next; next = next + 1 };
     serving + 1 >= own;
     inside++; assert(inside == 1); inside--;
     serving = serving + 1
  od
}
