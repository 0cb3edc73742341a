/* Which channel a message goes to shows only when the model runs; this one has a single field. */

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
