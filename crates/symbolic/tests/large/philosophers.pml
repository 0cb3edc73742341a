/* Dining philosophers: each thinks of one of three things, and takes the left fork and then the right one. */
#define N 70

bit fork[N];

active [N] proctype Philosopher()
{
	byte thought;

	do
	:: thought < 2 -> thought++
	:: thought == 2 -> thought = 0
	:: d_step { fork[_pid] == 0 -> fork[_pid] = 1 };
	   d_step { fork[(_pid + 1) % N] == 0 -> fork[(_pid + 1) % N] = 1 };
	   d_step { fork[_pid] = 0; fork[(_pid + 1) % N] = 0 }
	od
}
