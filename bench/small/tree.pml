/* A process starts two children, and so on to a depth of three; the leaves report to the root. */
proctype Node(byte depth; chan up)
{
	chan down = [2] of { byte };
	byte one, two;

	if
	:: depth > 0 ->
		run Node(depth - 1, down);
		run Node(depth - 1, down);
		down?one;
		down?two;
		assert(one == two)
	:: else
	fi;
	up!one + two + 1
}

init
{
	chan answer = [1] of { byte };
	byte n;

	run Node(2, answer);
	answer?n;
	assert(n == 7)
}
