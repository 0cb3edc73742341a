/* An odd-even sorting network with one round too few. */
#define N 5
byte v[N]; byte rounds;
active proctype sort() {
	byte i, t;
	atomic { i = 0; do :: i < N -> select(t : 0 .. 4); v[i] = t; i++ :: else -> break od };
	do
	:: rounds < N - 1 ->
	   i = rounds % 2;
	   do :: i + 1 < N -> if :: v[i] > v[i+1] -> t = v[i]; v[i] = v[i+1]; v[i+1] = t :: else fi; i = i + 2 :: else -> break od;
	   rounds++
	:: else -> break
	od;
	i = 0; do :: i + 1 < N -> assert(v[i] <= v[i+1]); i++ :: else -> break od
}
