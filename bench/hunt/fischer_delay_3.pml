/* Fischer's protocol for 3 processes in which the wait may be shorter than the write. */
#define N 3
byte id; byte timer[N]; byte critical;
active proctype clock() { byte i; do :: atomic { i = 0; do :: i < N -> if :: timer[i] > 0 -> timer[i]-- :: else fi; i++ :: else -> break od } od }
proctype p(byte me) {
	do
	:: id == 0 -> timer[me] = 2; id = me + 1; timer[me] = 2; (timer[me] == 0);
	   if :: id == me + 1 -> critical++; assert(critical == 1); critical--; id = 0 :: else fi
	od
}
init { byte i; atomic { do :: i < N -> run p(i); i++ :: else -> break od } }
