/* A ticket lock in which the number is drawn and advanced in two steps. */
int next, serving; byte inside;
active [2] proctype P() {
  int mine;
  do
  :: mine = next; next = next + 1;
     mine == serving;
     inside++; assert(inside == 1); inside--;
     serving = serving + 1
  od
}
