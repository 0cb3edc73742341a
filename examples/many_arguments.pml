/* The channel of this send is known only at run time; its messages have one field. */

chan single = [1] of { byte };
chan pair = [1] of { byte, byte };

proctype sender(chan out)
{
	out!1,2
}

init {
	run sender(pair);
	run sender(single)
}
