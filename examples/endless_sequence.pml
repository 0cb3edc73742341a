/* No other process can execute: the atomic sequence waits for itself. */

bool ready;

active proctype waiter()
{
	atomic {
		do
		:: ready -> break
		:: else -> skip
		od
	}
}

active proctype helper()
{
	ready = true
}
