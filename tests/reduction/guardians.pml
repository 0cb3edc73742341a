/* Lock servers whose channels are parameters decide locally and then wait on a rendezvous, while
   processes are created and end. Every local step is a persistent set of its own. */
typedef Lock { chan take = [0] of { bool }; chan give = [0] of { bool } }
proctype guardian(Lock m) {
	bool held = false;
	do
	:: true ->
		if
		:: held -> m.give?false; held = false
		:: else -> end: m.take?false; held = true
		fi
	od
}
proctype helper(chan answer) { answer!0 }
proctype client(Lock m) { m.take!false; m.give!false }
proctype task(chan parent) {
	chan mine = [1] of { int };
	Lock a; Lock b;
	run guardian(a); run guardian(b);
	run helper(mine);
	mine?0;
	run client(a);
	parent!0
}
proctype reader(chan c) { c?0 }
init {
	chan result = [1] of { int };
	run task(result);
	run reader(result)
}
