/* A process starts two children, each of those two more, to a depth of three; leaves report upwards. */
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
