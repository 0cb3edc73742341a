/* Raft leader election, terms bounded, no log.
 * RPCs are modelled as two-slot mailboxes; a message is never overwritten,
 * a request that finds the slot full is dropped. */

#define SERVERS 3
#define MAXTERM 2
#define NIL     9

mtype:role = { follower, candidate, leader };
mtype:kind = { RequestVote, VoteGranted };

mtype:role role[SERVERS] = follower;
byte term[SERVERS];
byte leaderOf[MAXTERM + 1] = NIL;

chan box[SERVERS] = [2] of { mtype:kind, byte, byte };	/* kind, term, from */

inline send(to, k, t) {
	if
	:: nfull(box[to]) -> box[to]!k(t, me)
	:: full(box[to]) -> skip
	fi
}

proctype Server(byte me)
{
	byte voted = NIL, votes, t, from;
	mtype:kind k;

end:	do
	:: role[me] != leader && term[me] < MAXTERM ->	/* election timeout */
		atomic {
			term[me]++;
			role[me] = candidate;
			voted = me;
			votes = 1;
			send((me + 1) % SERVERS, RequestVote, term[me]);
			send((me + 2) % SERVERS, RequestVote, term[me])
		}
	:: atomic { box[me]?k(t, from) ->
		if
		:: t > term[me] ->
			term[me] = t;
			role[me] = follower;
			voted = NIL;
			votes = 0
		:: else
		fi;
		if
		:: k == RequestVote && t == term[me] && (voted == NIL || voted == from) ->
			voted = from;
			send(from, VoteGranted, t)
		:: k == VoteGranted && t == term[me] && role[me] == candidate ->
			votes++;
			if
			:: votes > SERVERS / 2 ->
				role[me] = leader;
				assert(leaderOf[t] == NIL);
				leaderOf[t] = me
			:: else
			fi
		:: else -> skip
		fi;
		k = 0; t = 0; from = 0
	   }
	od
}

init {
	atomic {
		byte i = 0;
		do
		:: i < SERVERS -> run Server(i); i++
		:: i == SERVERS -> break
		od
	}
}
