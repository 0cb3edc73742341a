/* Milner's scheduler: cyclers in a ring start jobs in turn, and wait for their ends in any order. */
#define N 40

bit turn[N] = 0;
bit started = 0;

active [N] proctype Cycler()
{
	bit busy;

	do
	:: d_step { _pid == 0 && started == 0 -> started = 1; turn[0] = 1 }
	:: d_step { turn[_pid] == 1 && busy == 0 -> turn[_pid] = 0; busy = 1;
	            turn[(_pid + 1) % N] = 1 }
	:: busy == 1 -> busy = 0
	od
}
