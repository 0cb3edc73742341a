/* Two processes share a semaphore. Each is enabled infinitely often but not continuously: only strong fairness
   guarantees that both enter. */

byte free = 1;

active [2] proctype worker()
{
	do
	:: atomic { free > 0 -> free-- };
inside:	free++
	od
}

ltl enters { []<> worker[1]@inside }
