/* Leader election in a ring; identities are drawn at random, which forgets
 * that two nodes may draw the same one. */
#define N 3
#define IDS 3

mtype = { elect, winner };
chan ring[N] = [N] of { mtype, byte };
byte leaders = 0;

proctype node(byte i)
{
	byte id, v;
	chan in = ring[i];
	chan out = ring[(i + 1) % N];

	select(id : 1 .. IDS);
	out!elect,id;
	do
	:: in?elect,v ->
		if
		:: v > id -> out!elect,v
		:: v == id ->
			leaders++;
			assert(leaders <= 1);
			out!winner,id
		:: v < id
		fi
	:: in?winner,v ->
		if
		:: v != id -> out!winner,v
		:: else
		fi;
		break
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. N - 1) { run node(i) }
	}
}
