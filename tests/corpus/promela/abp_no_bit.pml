/* Stop and wait protocol without sequence numbers over a lossy channel */
mtype = { data, ack };

#define LIMIT 3

chan ch1 = [1] of { mtype, byte };
chan ch2 = [1] of { mtype };

active proctype Transmitter()
{
	byte n = 0;

	do
	:: n == LIMIT -> break
	:: n < LIMIT ->
		ch1!data(n);
		if
		:: ch2?ack -> n++
		:: timeout -> skip
		fi
	od
}

active proctype Receiver()
{
	byte n, last = 0;

end_r:
	do
	:: ch1?data(n) ->
		assert(n == last);
		last++;
		if
		:: ch2!ack
		:: printf("acknowledgement lost\n")
		fi
	od
}
