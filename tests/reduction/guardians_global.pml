/* As guardians.pml, with channels of the model; one client forgets to release its lock. */
typedef Lock { chan take = [0] of { bool }; chan give = [0] of { bool } }
Lock a; Lock b;
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
proctype client(Lock m; bool forgets) {
	m.take!false;
	if :: forgets :: else -> m.give!false fi
}
init { run guardian(a); run guardian(b); run client(a, true); run client(a, false); run client(b, false) }
