/* Two processes share a semaphore. Each can enter again and again, but not always: only strong fairness lets
   each of them in. */

byte free = 1;

active [2] proctype worker()
{
	do
	:: atomic { free > 0 -> free-- };
inside:	free++
	od
}

ltl enters { []<> worker[1]@inside }
