/* A progress label marks what every infinite run has to do again and again; this one may go on waiting. */

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
