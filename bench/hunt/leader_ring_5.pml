/* Election in a ring of 5 processes that keeps the larger number, but also declares equal neighbours. */
#define N 5
chan q[N] = [N] of { byte };
byte leaders; byte id[N];
proctype node(byte me) {
	byte v; bool active_ = true;
	q[(me + 1) % N]!id[me];
	do
	:: q[me]?v ->
	   if
	   :: active_ && v >= id[me] -> if :: v == id[me] -> leaders++; assert(leaders <= 1) :: else -> q[(me + 1) % N]!v fi
	   :: active_ && v < id[me] -> skip
	   fi
	od
}
init { byte i; atomic { do :: i < N -> id[i] = (i * 2) % (N - 1); run node(i); i++ :: else -> break od } }
