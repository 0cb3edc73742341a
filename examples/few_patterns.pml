/* The second field of the message is dropped. */

chan pair = [1] of { byte, byte };

proctype receiver(chan in)
{
	byte x;
	in?x
}

init {
	pair!1,2;
	run receiver(pair)
}
