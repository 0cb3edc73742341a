/* An accept label marks a state that must not be visited infinitely often: here, a restart. */

byte tries;

active proctype sender()
{
again:
	do
	:: tries = 0; break
	:: tries < 2 -> tries++
	:: tries == 2 ->
accept_restart:
		tries = 0; goto again
	od
}
