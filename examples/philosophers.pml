/* Every philosopher takes the left fork and then waits forever for the right one. */

#define N 3

chan fork[N] = [1] of { bit };

proctype philosopher(byte id)
{
	do
	:: fork[id]?1;                  /* the left one */
	   fork[(id + 1) % N]?1;        /* the right one */
	   fork[id]!1;
	   fork[(id + 1) % N]!1
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. N - 1) {
			fork[i]!1;
			run philosopher(i)
		}
	}
}
