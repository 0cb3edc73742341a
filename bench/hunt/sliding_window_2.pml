/* Go-back-n with a window of 2 and 2 sequence numbers: an old message is taken for a new one. */
#define W 2
chan data = [W] of { byte, byte }; chan acks = [2] of { byte };
active proctype sender() {
	byte base, next, a;
	do
	:: next - base < W && next < 20 -> data!(next % W), next; next++
	:: acks?a -> do :: base % W != a -> base++ :: else -> break od
	:: timeout -> next = base
	:: base == 20 -> break
	od
}
active proctype receiver() {
	byte expected, seq, value;
	do
	:: data?seq, value ->
	   if
	   :: seq == expected % W -> assert(value == expected); expected++; acks!(expected % W)
	   :: else -> acks!(expected % W)
	   fi
	od
}
active proctype loss() { byte x, y; do :: acks?x :: data?x, y od }
