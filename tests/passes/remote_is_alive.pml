/* P does not read v, but Q does by a remote reference. */
active proctype P()
{
	byte v;
	v = 1;
	v = 2;
	(false)
}
active proctype Q()
{
	P[0]:v == 2;
	assert(P[0]:v == 1)
}
