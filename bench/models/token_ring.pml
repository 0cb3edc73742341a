/* Stations pass a token around a ring and do local work in between; the token holder may reserve the next round.
 * Channels with one slot, independent local work. */
#define N 5
#define WORK 2

chan link[N] = [1] of { byte };
byte holder;

active [N] proctype Station()
{
	byte work, asked;

	if
	:: _pid == 0 -> link[0]!0
	:: else
	fi;
	do
	:: work < WORK -> work++
	:: link[_pid]?asked ->
		holder++;
		assert(holder == 1);
		if
		:: work == WORK -> work = 0; asked = 0
		:: work < WORK && asked < 2 -> asked++
		:: work < WORK
		fi;
		holder--;
		link[(_pid + 1) % N]!asked
	od
}
