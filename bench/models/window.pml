/* A sliding-window protocol over two lines that lose and duplicate messages; sequence numbers modulo 2W.
 * Buffered channels, timeouts as nondeterministic choices. */
#define W 3
#define M 6
#define ROOM 2

chan data = [ROOM] of { byte, byte };
chan acks = [ROOM] of { byte };

byte sent, got;        /* payloads modulo 8, for the assertion */

active proctype Sender()
{
	byte base, next, number;

	do
	:: (next + M - base) % M < W && nfull(data) ->
		data!next, next % 2;
		next = (next + 1) % M
	:: acks?number ->
		if
		:: (number + M - base) % M < (next + M - base) % M -> base = (number + 1) % M
		:: else
		fi
	:: base != next && nfull(data) -> data!base, base % 2
	od
}

active proctype Receiver()
{
	byte expected, number, payload;

	do
	:: data?number, payload ->
		if
		:: number == expected ->
			assert(payload == number % 2);
			expected = (expected + 1) % M
		:: else
		fi;
		if
		:: nfull(acks) -> acks!(expected + M - 1) % M
		:: full(acks)
		fi
	od
}

active proctype Loss()
{
	do
	:: data?_, _
	:: acks?_
	od
}

active proctype Noise()
{
	byte level;

	do
	:: level < 9 -> level++
	:: level > 0 -> level--
	od
}
