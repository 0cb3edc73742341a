/* 3 processes in a ring may all send to the next one before they receive: every process is blocked. */
#define N 3
chan c[N] = [0] of { byte }; byte load;
proctype p(byte id) {
	byte v;
	do
	:: load = (load + id) % 7;
	   if :: load % 2 -> c[(id + 1) % N]!id :: else -> c[id]?v fi
	od
}
init { byte i; atomic { do :: i < N -> run p(i); i++ :: else -> break od } }
