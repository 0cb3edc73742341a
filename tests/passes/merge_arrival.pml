/* To arrive at the receive is a step of its own for a sender that would do something else. */
chan c = [0] of { byte };
byte other;
active proctype R()
{
	byte i;
	other = 1;
	i = 1;
	i = 2;
	c?i
}
active proctype S()
{
	(other == 1);
	if
	:: c!1
	:: else -> assert(false)
	fi
}
