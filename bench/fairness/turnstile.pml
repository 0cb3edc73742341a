/* Five who share a lock that a test and a set take together, each with some work of its own before and after.
 * Nobody starves if the scheduler is strongly fair: the lock is free again and again. */
#define N 5
#define WORK 3
bool taken;
bool wants[N], inside[N];
active [N] proctype User()
{
	byte work;
	do
	:: work = 0;
	   do :: work < WORK -> work++ :: else -> break od;
	   wants[_pid] = true;
	   atomic { !taken -> taken = true };
	   inside[_pid] = true;
	   wants[_pid] = false;
	   work = 0;
	   do :: work < WORK -> work++ :: else -> break od;
	   inside[_pid] = false;
	   taken = false
	od
}
ltl served { [] (wants[0] -> <> inside[0]) }
