/* Leader election by Chang and Roberts: every node passes on numbers greater than its own; a node that receives its own
 * is the leader, and stays it: [](leaders > 0 -> [](leaders == 1)). The claim stays at its start until there is a leader. */
#define N 5

chan link[N] = [N] of { byte };
byte number[N];
byte leaders;

proctype Node(byte me)
{
	byte got;
	bool passive;

	link[(me + 1) % N]!number[me];
	do
	:: link[me]?got ->
		if
		:: got > number[me] -> passive = true; link[(me + 1) % N]!got
		:: got < number[me]
		:: got == number[me] -> assert(!passive); leaders++; break
		fi;
		got = 0
	od
}

init
{
	byte i, k;

	do
	:: i < N ->
		select (k : 0 .. N - 1);
		if
		:: number[k] == 0 -> number[k] = i + 1; i++
		:: else
		fi
	:: else -> break
	od;
	k = 0;
	atomic {
		for (i : 0 .. N - 1) { run Node(i) }
		i = 0
	}
}

never {
start:
	do
	:: leaders > 0 && !(leaders == 1) -> goto accept_bad
	:: leaders > 0 -> goto led
	:: true
	od;
led:
	do
	:: !(leaders == 1) -> goto accept_bad
	:: true
	od;
accept_bad:
	do
	:: true
	od
}
