/* Mutual exclusion that fails. Each process tests whether the other is in its critical section and then enters its own:
   between the test and the entry, the other process may do the same. */

bool inside[2];
byte count;

active [2] proctype user()
{
	do
	:: !inside[1 - _pid];           /* the other one is out */
	   inside[_pid] = true;
	   count++;
	   assert(count == 1);          /* and yet we may both be here */
	   count--;
	   inside[_pid] = false
	od
}
