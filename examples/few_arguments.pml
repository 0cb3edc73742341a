/* Which channel a message goes to shows only when the model runs; this one has two fields. */

chan pair = [1] of { byte, byte };

proctype sender(chan out)
{
	out!1
}

init {
	run sender(pair)
}
