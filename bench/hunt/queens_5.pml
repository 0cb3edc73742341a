/* 5 queens: a solution is reported as a violation. */
#define N 5
byte col[N]; byte row;
active proctype place() {
	byte c, j; bool ok;
	do
	:: row < N ->
	   select(c : 0 .. N - 1);
	   ok = true;
	   d_step {
	      j = 0;
	      do
	      :: j < row -> if :: col[j] == c || col[j] + row - j == c || col[j] + j == c + row -> ok = false :: else fi; j++
	      :: else -> break
	      od
	   };
	   if :: ok -> col[row] = c; row++ :: else -> break fi
	:: else -> assert(false)
	od
}
