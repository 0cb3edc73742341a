/* Clients ask their server by rendezvous; it thinks, consults the server of the next pair, and answers. */
#define N 14

mtype = { ask, yes, no };

chan call[N] = [0] of { mtype };
chan reply[N] = [0] of { mtype };
bit opinion[N];

active [N] proctype Client()
{
	byte calls;

	do
	:: call[_pid]!ask -> if :: reply[_pid]?yes -> calls = 1 :: reply[_pid]?no -> calls = 2 fi
	:: calls > 0 -> calls = 0
	od
}

active [N] proctype Server()
{
	byte own = _pid - N;

	do
	:: call[_pid - N]?ask ->
		if
		:: opinion[(_pid + 1) % N] == 1 -> reply[_pid - N]!yes
		:: opinion[(_pid + 1) % N] == 0 -> reply[_pid - N]!no
		fi
	:: opinion[_pid - N] = 1
	:: opinion[_pid - N] = 0
	od
}
