/* The receiver arrives late: until then the sender takes an alternative. The delay is not relevant to x. */
chan c = [0] of { byte };
byte x, y;
active proctype R()
{
	byte v;
	y = 1;
	y = 2;
	c?v
}
active proctype S()
{
	if
	:: c!1 -> x = 1
	:: else -> x = 2
	fi
}
ltl meets { [] (x != 2) }
ltl passes { [] (x != 1) }
