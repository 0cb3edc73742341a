/* A directory grants lines of a cache to processors, shared or exclusively, and recalls them before it grants them
 * exclusively. While processor 0 has the line exclusively, no other processor has it: [](own -> (own && !others) W !own). The
 * claim leaves its start whenever processor 0 has the line. */
#define N 5

mtype = { get, take, give, recall, done };
chan up = [N] of { mtype, byte };
chan down[N] = [1] of { mtype };
byte holders, owner = N;
#define own (owner == 0)
#define others (holders > 0)

active [N] proctype Processor()
{
	bool has;
	mtype got;

	do
	:: !has -> up!get, _pid; down[_pid]?give; has = true
	:: !has -> up!take, _pid; down[_pid]?give; has = true
	:: down[_pid]?recall -> has = false; up!done, _pid
	od
}

active proctype Directory()
{
	bool present[N];
	mtype what;
	byte who, i;

	do
	:: up?what, who ->
		i = 0;
		do
		:: i == N -> break
		:: i < N && present[i] && (what == take || owner == i) ->
			down[i]!recall;
			up??done, eval(i);
			d_step {
				present[i] = false;
				if
				:: owner == i -> owner = N
				:: else -> holders--
				fi
			};
			i++
		:: else -> i++
		od;
		i = 0;
		d_step {
			present[who] = true;
			if
			:: what == take -> owner = who
			:: else -> holders++
			fi
		};
		down[who]!give;
		what = 0;
		who = 0
	od
}

never {
start:
	do
	:: own && others -> goto accept_broken
	:: own && !others -> goto owned
	:: true
	od;
owned:
	do
	:: own && others -> goto accept_broken
	:: own && !others
	od;
accept_broken:
	do
	:: true
	od
}
