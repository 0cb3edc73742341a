/* Two-phase commit, round after round; a participant may be late with its vote, and the coordinator then aborts.
 * A decision is never mixed: [](committed == 0 || aborted == 0). The claim stays at its start. */
#define N 5

mtype = { prepare, yes, no, commit, abort };
chan order[N] = [1] of { mtype };
chan votes = [N] of { mtype };
byte committed, aborted;

active [N] proctype Participant()
{
	mtype got;

	do
	:: order[_pid]?prepare ->
		if
		:: votes!yes;
		   order[_pid]?got;
		   if
		   :: got == commit -> committed++
		   :: got == abort -> aborted++
		   fi
		:: votes!no; order[_pid]?got; assert(got == abort); aborted++
		fi;
		got = 0;
		votes!yes
	od
}

active proctype Coordinator()
{
	byte i, refused;
	mtype vote;

	do
	:: i = 0;
	   do
	   :: i < N -> order[i]!prepare; i++
	   :: else -> break
	   od;
	   i = 0;
	   do
	   :: i < N -> votes?vote; refused = refused || (vote == no); i++
	   :: else -> break
	   od;
	   vote = 0;
	   i = 0;
	   do
	   :: i < N && refused -> order[i]!abort; i++
	   :: i < N && !refused -> order[i]!commit; i++
	   :: else -> break
	   od;
	   i = 0;
	   do
	   :: i < N -> votes?_; i++
	   :: else -> break
	   od;
	   assert(committed + aborted == N);
	   d_step { committed = 0; aborted = 0; refused = 0 }
	od
}

never {
start:
	do
	:: !(committed == 0 || aborted == 0) -> goto accept_mixed
	:: true
	od;
accept_mixed:
	do
	:: true
	od
}
