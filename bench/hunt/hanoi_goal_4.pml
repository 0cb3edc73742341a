/* Towers of Hanoi with 4 disks: reaching the goal is reported as a violation. */
#define N 4
byte peg[N];
active proctype mover() {
	byte d, to, j; bool ok;
	do
	:: select(d : 0 .. N - 1); select(to : 0 .. 2);
	   d_step {
	      ok = (to != peg[d]); j = 0;
	      do :: j < d -> if :: peg[j] == peg[d] || peg[j] == to -> ok = false :: else fi; j++ :: else -> break od;
	      if :: ok -> peg[d] = to :: else fi; j = 0; ok = true;
	      do :: j < N -> if :: peg[j] != 2 -> ok = false :: else fi; j++ :: else -> break od
	   };
	   assert(!ok)
	od
}
