/* Five processes share a test-and-set lock; each has some local work before and after its critical section.
 * No process starves under strong fairness: the lock is free infinitely often. */
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
