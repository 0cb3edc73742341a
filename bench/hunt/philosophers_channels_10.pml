/* 10 dining philosophers with forks as channels; one of them is left-handed, but takes the wrong forks. */
#define N 10
chan fork[N] = [1] of { bit };
proctype philosopher(byte id) {
	do
	:: fork[id]?1; fork[(id + 1) % N]?1; fork[id]!1; fork[(id + 1) % N]!1
	od
}
init {
	byte i;
	atomic { do :: i < N -> fork[i]!1; run philosopher(i); i++ :: else -> break od }
}
