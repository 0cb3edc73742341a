/* Peterson's algorithm for two processes: mutual exclusion of the critical sections. */

bool wants[2];
byte turn;
byte count;

active [2] proctype user()
{
	do
	:: wants[_pid] = true;
	   turn = _pid;
	   (!wants[1 - _pid] || turn == 1 - _pid);
	   count++;
	   assert(count == 1);
	   count--;
	   wants[_pid] = false
	od
}
