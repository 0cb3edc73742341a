/* A link layer after IEEE 1394: each node has a transaction layer, a link and a physical layer; a bus
 * arbitrates. Guards mention many variables. */
#ifndef N
#define N 2
#endif
#define IDLE 0
#define ARB 1
#define SEND 2
#define ACKED 3
byte state[N];
bool granted[N], wants[N];
byte owner = 255;
bool busy, gap = true;
chan data[N] = [2] of { byte, byte };
chan ack[N] = [1] of { byte };
chan req[N] = [1] of { byte };
chan conf[N] = [1] of { byte };
byte sent[N];

proctype Transaction(byte id) {
	byte dest, result;
	do
	:: len(req[id]) == 0 && state[id] == IDLE && sent[id] < 2 ->
		if
		:: dest = (id + 1) % N
		:: dest = (id + 2) % N
		fi;
		req[id]!dest;
		conf[id]?result;
		sent[id]++
	:: sent[id] == 2 && !busy -> break
	od
}
proctype Link(byte id) {
	byte dest, from, kind;
	do
	:: state[id] == IDLE && nempty(req[id]) ->
		req[id]?dest;
		state[id] = ARB;
		wants[id] = true
	:: state[id] == ARB && granted[id] && owner == id ->
		if
		:: nfull(data[dest]) -> data[dest]!id, 1; state[id] = SEND
		:: full(data[dest]) -> granted[id] = false; owner = 255; busy = false
		fi
	:: state[id] == SEND && nempty(ack[id]) ->
		ack[id]?kind;
		state[id] = ACKED;
		granted[id] = false;
		wants[id] = false;
		atomic { owner = 255; busy = false }
	:: state[id] == SEND && busy && owner == id && empty(ack[id]) && gap ->
		skip
	:: state[id] == ACKED -> conf[id]!kind; state[id] = IDLE
	:: nempty(data[id]) && state[id] != SEND ->
		data[id]?from, kind;
		if
		:: nfull(ack[from]) -> ack[from]!kind
		:: full(ack[from])
		fi
	od
}
proctype Bus() {
	byte i;
	do
	:: !busy && gap && owner == 255 ->
		if
		:: wants[0] && !granted[0] -> atomic { granted[0] = true; owner = 0; busy = true }
		:: wants[1] && !granted[1] -> atomic { granted[1] = true; owner = 1; busy = true }
		:: wants[N-1] && !granted[N-1] -> atomic { granted[N-1] = true; owner = N-1; busy = true }
		:: else -> gap = !gap
		fi
	:: !gap -> gap = true
	od
}
init {
	byte i;
	atomic {
		for (i : 0 .. N-1) { run Transaction(i); run Link(i) }
		run Bus()
	}
}
