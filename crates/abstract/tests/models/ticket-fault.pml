/* A ticket lock that lets a process in front of the others after many failed attempts. */
int next, serving, failed; byte inside;
active [2] proctype P() {
  int mine;
  do
  :: atomic { next - serving < 2 -> mine = next; next = next + 1 };
     do
     :: mine == serving -> break
     :: atomic { mine != serving -> failed = failed + 1 }
     :: atomic { failed > 12000 && serving > 6000 -> break }
     od;
     inside++; assert(inside == 1); inside--;
     serving = serving + 1
  od
}
