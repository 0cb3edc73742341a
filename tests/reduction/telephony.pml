/* A telephone exchange: subscribers go off hook, dial, talk and hang up; the exchange has one process
 * per line, and a process for billing and one for tones. */
#ifndef N
#define N 2
#endif
mtype = { offhook, onhook, dial, ring, answer, busytone, dialtone, connect, release, charge };
chan to_line[N] = [1] of { mtype, byte };
chan to_phone[N] = [1] of { mtype };
chan between[N] = [1] of { mtype, byte };
chan bill = [1] of { mtype, byte };
bool engaged[N];
byte charged[N];

proctype Phone(byte id) {
	byte calls;
idle:
	do
	:: calls < 1 -> calls++; to_line[id]!offhook, id; goto off
	:: to_phone[id]?ring -> to_line[id]!answer, id; goto talking
	:: to_phone[id]?release
	:: to_phone[id]?busytone
	od;
off:
	do
	:: to_phone[id]?dialtone ->
		if
		:: to_line[id]!dial, (id + 1) % N
		:: to_line[id]!dial, (id + 2) % N
		:: to_line[id]!onhook, id; goto idle
		fi
	:: to_phone[id]?busytone -> to_line[id]!onhook, id; goto idle
	:: to_phone[id]?connect -> goto talking
	:: to_phone[id]?ring -> to_line[id]!answer, id; goto talking
	:: to_phone[id]?release -> to_line[id]!onhook, id; goto idle
	od;
talking:
	do
	:: to_phone[id]?release -> to_line[id]!onhook, id; goto idle
	:: to_line[id]!onhook, id -> goto idle
	:: to_phone[id]?connect
	:: to_phone[id]?busytone
	od
}
proctype Line(byte id) {
	byte peer, who;
	mtype m;
end_free:
	do
	:: to_line[id]?offhook, _ -> engaged[id] = true; to_phone[id]!dialtone; goto dialing
	:: between[id]?ring, peer ->
		if
		:: !engaged[id] -> engaged[id] = true; to_phone[id]!ring; goto ringing
		:: else -> between[peer]!busytone, id
		fi
	:: between[id]?release, who
	:: between[id]?busytone, who
	:: between[id]?connect, who
	:: to_line[id]?onhook, _
	:: to_line[id]?answer, _
	:: to_line[id]?dial, who
	od;
dialing:
	do
	:: to_line[id]?dial, peer -> between[peer]!ring, id
	:: between[id]?connect, who -> to_phone[id]!connect; goto charged_call
	:: between[id]?busytone, who -> to_phone[id]!busytone
	:: between[id]?ring, who -> between[who]!busytone, id
	:: to_line[id]?onhook, _ -> between[peer]!release, id; engaged[id] = false; goto end_free
	:: between[id]?release, who
	:: to_line[id]?answer, _
	od;
ringing:
	do
	:: to_line[id]?answer, _ -> between[peer]!connect, id; goto talk
	:: between[id]?release, who -> to_phone[id]!release; engaged[id] = false; goto end_free
	:: between[id]?ring, who -> between[who]!busytone, id
	:: to_line[id]?offhook, _
	:: to_line[id]?onhook, _
	od;
charged_call:
	bill!charge, id;
talk:
	do
	:: to_line[id]?onhook, _ -> between[peer]!release, id; engaged[id] = false; goto end_free
	:: between[id]?release, who -> to_phone[id]!release; engaged[id] = false; goto end_free
	:: between[id]?ring, who -> between[who]!busytone, id
	:: between[id]?connect, who
	:: between[id]?busytone, who
	od
}
proctype Billing() {
	byte id;
end:
	do
	:: bill?charge, id -> charged[id] = (charged[id] + 1) % 3
	od
}
init {
	byte i;
	atomic {
		for (i : 0 .. N-1) { run Line(i); run Phone(i) }
		run Billing()
	}
}
