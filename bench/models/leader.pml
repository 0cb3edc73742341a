/* Leader election on a unidirectional ring (Dolev, Klawe, Rodeh): a process with a larger neighbour on both sides becomes passive.
 * All assignments of numbers are explored. Buffered channels, two kinds of messages. */
#define N 5
#define ROOM 4

mtype = { first, second, winner };

chan ring[N] = [ROOM] of { mtype, byte };
byte leaders;

proctype Node(chan in, out; byte mine)
{
	bool active_ = true, known;
	byte most = mine, number, neighbour;

	xr in;
	xs out;

	out!first(mine);
end:	do
	:: in?first(number) ->
		if
		:: active_ ->
			if
			:: number != most -> out!second(number); neighbour = number
			:: else -> out!winner(number); known = true
			fi
		:: else -> out!first(number)
		fi
	:: in?second(number) ->
		if
		:: active_ ->
			if
			:: neighbour > number && neighbour > most -> most = neighbour; out!first(neighbour)
			:: else -> active_ = false
			fi
		:: else -> out!second(number)
		fi
	:: in?winner(number) ->
		if
		:: number == mine -> leaders++; assert(leaders == 1)
		:: else
		fi;
		if
		:: known
		:: else -> out!winner(number)
		fi;
		break
	od
}

init
{
	byte order[N];
	byte i;
	byte taken;

	atomic {
		i = 0;
		do
		:: i < N ->
			if
			:: !(taken & 1) -> order[i] = 1; taken = taken | 1
			:: !(taken & 2) -> order[i] = 2; taken = taken | 2
			:: !(taken & 4) -> order[i] = 3; taken = taken | 4
			:: !(taken & 8) -> order[i] = 4; taken = taken | 8
			:: !(taken & 16) -> order[i] = 5; taken = taken | 16
			fi;
			i++
		:: else -> break
		od;
		taken = 0; i = 0;
		do
		:: i < N -> run Node(ring[i], ring[(i + 1) % N], order[i]); order[i] = 0; i++
		:: else -> break
		od;
		i = 0
	}
}
