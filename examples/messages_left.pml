/* The last message is never received. Found with --enable messages-left. */

chan queue = [2] of { byte };

active proctype sender()
{
	queue!1;
	queue!2
}

active proctype receiver()
{
	byte x;
	queue?x
}
