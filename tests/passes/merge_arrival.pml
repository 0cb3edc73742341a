/* Reaching the receive is a visible step for a sender with an alternative. */
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
