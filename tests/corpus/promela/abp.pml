/*
 * Alternating bit protocol over two lossy channels.
 * The messages carry numbers modulo MAX, the receiver checks their order.
 */
#define MAX 4

mtype = { msg, ack };

chan to_r = [2] of { mtype, byte, bit };
chan to_s = [2] of { mtype, bit };

proctype Sender(chan out, in)
{
	byte data;
	bit sbit, rbit;

	do
	:: out!msg(data, sbit) ->
		if
		:: in?ack(rbit) ->
			if
			:: rbit == sbit ->
				sbit = 1 - sbit;
				data = (data + 1) % MAX
			:: else -> skip
			fi
		:: timeout -> skip		/* retransmit */
		fi
	od
}

proctype Receiver(chan in, out)
{
	byte data, expected;
	bit rbit, ebit;

end:	do
	:: in?msg(data, rbit) ->
		if
		:: rbit == ebit ->
			assert(data == expected);
			expected = (expected + 1) % MAX;
			ebit = 1 - ebit
		:: else -> skip
		fi;
		out!ack(rbit)
	od
}

proctype Thief()		/* loses messages */
{
	mtype m; byte d; bit b;
end:	do
	:: to_r?m(d, b)
	:: to_s?m(b)
	od
}

init
{
	atomic {
		run Sender(to_r, to_s);
		run Receiver(to_r, to_s);
		run Thief()
	}
}
