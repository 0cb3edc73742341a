/* An accept label marks what must not happen again and again: here, starting anew. */

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
