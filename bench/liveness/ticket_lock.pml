/* A ticket lock: a process that draws a ticket waits for its number. The first process gets the lock once it has a ticket:
 * [](waits[0] -> <>owner == 0). */
#define N 7

byte next, serving;
bool waits[N];
byte owner = N;

active [N] proctype Process()
{
	byte ticket, work;

	do
	:: d_step { ticket = next; next = (next + 1) % N; waits[_pid] = true };
	   serving == ticket;
	   owner = _pid;
	   waits[_pid] = false;
	   if
	   :: work = 1
	   :: work = 2
	   fi;
	   do
	   :: work > 0 -> work--
	   :: else -> break
	   od;
	   owner = N;
	   ticket = 0;
	   serving = (serving + 1) % N
	od
}

never {
wait:
	do
	:: waits[0] && owner != 0 -> goto accept_waits
	:: true
	od;
accept_waits:
	do
	:: owner != 0
	od
}
