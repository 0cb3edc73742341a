/* One value more than the messages of the channel have. */

chan single = [1] of { byte };

proctype sender(chan out)
{
	out!1,2
}

init {
	run sender(single)
}
