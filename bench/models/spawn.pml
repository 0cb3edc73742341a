/* A master starts workers while the number of processes is below a limit, and a worker may start a helper;
 * each communicates on its own channel and terminates after the younger ones.
 * Process creation and termination, with parameters and channels. */
#define MOST 4

chan reports = [2] of { byte, byte };

proctype Worker(byte job; bool helped)
{
	byte steps, value;
	chan own = [1] of { byte };

	do
	:: steps < 1 -> steps++; own!steps; own?value; assert(value == steps)
	:: atomic { !helped && _nr_pr < MOST -> run Worker(job + 1, true); helped = true }
	:: steps == 1 -> break
	od;
	reports!job, steps
}

active proctype Boss()
{
	byte next, job, steps;

	do
	:: atomic { _nr_pr < MOST -> run Worker(next, false); next = (next + 1) % 2 }
	:: reports?job, steps ->
		assert(steps == 1 && job <= 3);
		job = 0; steps = 0
	od
}
