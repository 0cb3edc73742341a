/* Philosophers and forks are processes: forks are requested, granted and returned by rendezvous; one
 * philosopher starts with the other fork. Rendezvous, many processes. */
#define N 7

mtype = { take, put };

chan fork[N] = [0] of { mtype, byte };
byte eating;

active [N] proctype Philosopher()
{
	byte one, other;

	atomic {
		if
		:: _pid == 0 -> one = 0; other = N - 1
		:: else -> one = _pid - 1; other = _pid
		fi
	};
	do
	:: fork[one]!take, _pid;
	   fork[other]!take, _pid;
	   eating++;
	   assert(eating <= N / 2);
	   eating--;
	   fork[one]!put, _pid;
	   fork[other]!put, _pid
	od
}

active [N] proctype Fork()
{
	byte who;

	do
	:: fork[_pid - N]?take, who;
	   fork[_pid - N]?put, eval(who);
	   who = 0
	od
}
