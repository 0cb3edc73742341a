/* The contents of the channel determine the branch. */
chan c = [1] of { byte };
byte x, y;
active proctype P()
{
	if
	:: c?1 -> x = 1
	:: else -> x = 2
	fi
}
active proctype Q() { y = 1; c!1; y = 2 }
ltl first { [] (x != 1) }
ltl second { [] (x != 2) }
