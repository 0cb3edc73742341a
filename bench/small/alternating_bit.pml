/* The alternating bit protocol over lines that lose messages. */
mtype = { data, ack };
chan down = [2] of { mtype, bit, byte };
chan up = [2] of { mtype, bit };

active proctype Sender()
{
	bit mine, theirs;
	byte payload;

	do
	:: down!data, mine, payload
	:: up?ack, theirs ->
		if
		:: theirs == mine -> mine = 1 - mine; payload = (payload + 1) % 4
		:: else
		fi
	:: down?_, _, _
	:: up?_, _
	od
}

active proctype Receiver()
{
	bit expected, got;
	byte payload, next;

	do
	:: down?data, got, payload ->
		if
		:: got == expected ->
			assert(payload == next);
			next = (next + 1) % 4;
			expected = 1 - expected
		:: else
		fi;
		up!ack, got
	od
}
