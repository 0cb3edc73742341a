/* A ticket lock with numbers of 32 bits that grow without end. */
int next, serving; byte inside;
active [2] proctype P() {
  int mine;
  do
  :: atomic { next - serving < 2 -> mine = next; next = next + 1 };
     mine == serving;
     inside++; assert(inside == 1); inside--;
     serving = serving + 1
  od
}
