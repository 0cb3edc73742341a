/* Philosophers take one fork, then the other, and then return both; the last starts with the other fork.
 * Many processes, many successors. */
#define N 16
#define FIRST (_pid == N - 1 -> 0 : _pid)
#define SECOND (_pid == N - 1 -> N - 1 : _pid + 1)

bool fork[N];

active [N] proctype Philosopher()
{
	do
	:: atomic { !fork[FIRST] -> fork[FIRST] = true };
	   atomic { !fork[SECOND] -> fork[SECOND] = true };
	   d_step { assert(fork[FIRST] && fork[SECOND]); fork[FIRST] = false; fork[SECOND] = false }
	od
}
