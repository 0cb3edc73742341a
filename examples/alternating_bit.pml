/* The alternating bit protocol over lossy channels: messages are neither duplicated nor reordered. */

mtype = { data, ack };

chan forth = [1] of { mtype, bit, byte };
chan back = [1] of { mtype, bit };

active proctype sender()
{
	bit turn;
	byte number;
end:	do
	:: forth!data(turn, number)
	:: back?ack(eval(turn)) ->
		turn = 1 - turn;
		number = (number + 1) % 4
	:: back?ack(eval(1 - turn))
	od
}

active proctype receiver()
{
	bit turn, got;
	byte number, expected;
end:	do
	:: forth?data(got, number) ->
		if
		:: got == turn ->
			assert(number == expected);
			expected = (expected + 1) % 4;
			turn = 1 - turn
		:: else
		fi;
		back!ack(got)
	:: forth?data(got, number)      /* lost on the way */
	:: back?ack(_)                  /* lost on the way back */
	od
}
