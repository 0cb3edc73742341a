/* A progress label marks a state that every infinite execution must visit infinitely often; this process may wait forever. */

bool ready;

active proctype waiter()
{
	do
	:: ready ->
progress:
		ready = false
	:: !ready -> skip
	od
}

active proctype setter()
{
	do
	:: ready = true
	od
}
