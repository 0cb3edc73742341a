/* Lamport's bakery with a bounded number of tickets: a process without a ticket waits until all others have left.
 * Shared variables. */
#define N 3
#define MAX 6

byte ticket[N];
bool choosing[N];
byte inside;

active [N] proctype Customer()
{
	byte i, highest;

	do
	:: choosing[_pid] = true;
	   highest = 0;
	   i = 0;
	   do
	   :: i < N ->
		if
		:: ticket[i] > highest -> highest = ticket[i]
		:: else
		fi;
		i++
	   :: else -> break
	   od;
	   if
	   :: highest < MAX ->
		ticket[_pid] = highest + 1;
		choosing[_pid] = false;
		i = 0;
		do
		:: i < N ->
			!choosing[i];
			(ticket[i] == 0 || ticket[i] > ticket[_pid] || (ticket[i] == ticket[_pid] && i >= _pid));
			i++
		:: else -> break
		od;
		inside++;
		assert(inside == 1);
		inside--;
		ticket[_pid] = 0
	   :: else ->
		choosing[_pid] = false
	   fi
	od
}
