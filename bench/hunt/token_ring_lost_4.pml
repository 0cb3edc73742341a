/* A token ring of 4 stations; a station that has nothing to send may drop the token. */
#define N 4
chan ring[N] = [1] of { bit }; bool holding; byte sent;
proctype station(byte id) {
	do
	:: ring[id]?1 ->
	   if
	   :: holding = (id == 0); sent = (sent + 1) % 10; holding = false; ring[(id + 1) % N]!1
	   :: id == N - 1 -> skip
	   fi
	od
}
init { byte i; atomic { do :: i < N -> run station(i); i++ :: else -> break od; ring[0]!1 } }
ltl again { [] <> holding }
