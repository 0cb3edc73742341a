/* Ten workers in rounds: no worker begins a round before all have finished the previous one.
 * Many processes, one shared counter; a wide state space with simple steps. */
#define N 10

byte arrived;
bool phase;
byte done[N];

active [N] proctype Worker()
{
	bool mine;

	do
	:: atomic { done[_pid] = !done[_pid]; mine = !mine };
	   atomic {
		if
		:: arrived == N - 1 -> arrived = 0; phase = mine
		:: else -> arrived++
		fi
	   };
	   atomic { phase == mine -> assert(done[_pid] == mine) }
	od
}
