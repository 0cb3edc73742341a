/* The channel of this send is known only at run time; its messages have two fields. */

chan pair = [1] of { byte, byte };

proctype sender(chan out)
{
	out!1
}

init {
	run sender(pair)
}
