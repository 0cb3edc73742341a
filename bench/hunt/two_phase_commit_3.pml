/* Two-phase commit with 3 participants; the coordinator counts a late vote as a vote for commit. */
#define N 3
mtype = { prepare, yes, no, commit, abort };
chan to[N] = [1] of { mtype }; chan votes = [N] of { mtype };
byte committed, aborted;
active proctype coordinator() {
	byte i, n; bool failed;
	i = 0; do :: i < N -> to[i]!prepare; i++ :: else -> break od;
	do
	:: n < N ->
	   if
	   :: votes?yes -> n++
	   :: votes?no -> n++; failed = true
	   :: n == N - 1 -> n++
	   fi
	:: else -> break
	od;
	i = 0;
	do
	:: i < N -> if :: failed -> to[i]!abort :: else -> to[i]!commit fi; i++
	:: else -> break
	od
}
proctype participant(byte id) {
	bool mine = true;
	to[id]?prepare;
	if :: votes!yes :: votes!no; mine = false; aborted++ fi;
	if :: to[id]?commit -> committed++; assert(mine) :: to[id]?abort -> aborted++ fi
}
init { byte i; atomic { do :: i < N -> run participant(i); i++ :: else -> break od } }
