/* TCP: three-way handshake, simultaneous open possible, orderly release */

mtype = { SYN, SYNACK, ACK, FIN };
mtype = { closed, syn_sent, syn_rcvd, established, fin_wait, close_wait, last_ack, time_wait };

mtype st[2] = closed;
chan net[2] = [2] of { mtype };

#define peer (1 - me)

proctype Host(byte me; bool opener)
{
	mtype m;

	if
	:: opener -> net[peer]!SYN; st[me] = syn_sent
	:: !opener -> skip
	fi;

	do
	:: st[me] == closed && net[me]?[SYN] ->
		net[me]?SYN; net[peer]!SYNACK; st[me] = syn_rcvd
	:: st[me] == syn_sent ->
		if
		:: net[me]?SYNACK -> net[peer]!ACK; st[me] = established
		:: net[me]?SYN -> net[peer]!SYNACK; st[me] = syn_rcvd
		fi
	:: st[me] == syn_rcvd ->
		net[me]?m;
		assert(m == ACK || m == SYNACK);
		st[me] = established
	:: st[me] == established ->
		if
		:: me == 0 && empty(net[me]) -> net[peer]!FIN; st[me] = fin_wait
		:: net[me]?FIN -> net[peer]!ACK; st[me] = close_wait
		:: net[me]?ACK -> skip
		fi
	:: st[me] == fin_wait ->
		net[me]?m;
		if
		:: m == FIN -> net[peer]!ACK; st[me] = time_wait
		:: else -> skip
		fi
	:: st[me] == close_wait ->
		net[peer]!FIN; st[me] = last_ack
	:: st[me] == last_ack ->
		net[me]?ACK; st[me] = closed; break
	:: st[me] == time_wait ->
		break
	od
}

init {
	atomic {
		run Host(0, true);
		run Host(1, false)
	}
}

ltl both_close { <> (st[0] == time_wait && st[1] == closed) }
