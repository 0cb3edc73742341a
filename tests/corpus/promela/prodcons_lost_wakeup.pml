/* Producer and consumer with sleep and wakeup (Tanenbaum): a wakeup that
 * is sent to a process which is not yet asleep is lost. */

#define SIZE 2

byte count = 0;
bool prod_sleeping = false;
bool cons_sleeping = false;

active proctype producer()
{
	do
	::	if
		:: count == SIZE ->
			prod_sleeping = true;
			!prod_sleeping
		:: else
		fi;
		count++;
		assert(count <= SIZE);
		if
		:: count == 1 -> cons_sleeping = false
		:: else
		fi
	od
}

active proctype consumer()
{
	do
	::	if
		:: count == 0 ->
			cons_sleeping = true;
			!cons_sleeping
		:: else
		fi;
		count--;
		if
		:: count == SIZE - 1 -> prod_sleeping = false
		:: else
		fi
	od
}
