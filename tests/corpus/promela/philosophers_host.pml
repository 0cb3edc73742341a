#define N 4

chan fork[N] = [1] of { bit };
chan host = [N] of { bit };

byte eating[N];

proctype philosopher(byte i)
{
	byte left, right;

	left = i;
	right = (i + 1) % N;
end:
	do
	:: host?1;
	   fork[left]?1;
	   fork[right]?1;
	   eating[i] = 1;
	   assert(eating[(i + 1) % N] == 0 && eating[(i + N - 1) % N] == 0);
	   eating[i] = 0;
	   fork[left]!1;
	   fork[right]!1;
	   host!1
	od
}

init {
	byte k;

	atomic {
		do
		:: k < N -> fork[k]!1; k++
		:: k == N -> break
		od;
		k = 1;
		do
		:: k < N -> host!1; k++		/* N - 1 tickets */
		:: else -> break
		od;
		for (k : 0 .. N - 1) {
			run philosopher(k)
		}
	}
}
