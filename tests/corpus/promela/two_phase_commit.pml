#define N 3

mtype = { prepare, yes, no, commit, abort };
mtype = { working, prepared, committed, aborted };

chan toRM[N] = [1] of { mtype };
chan toTM = [N] of { mtype, byte };

mtype rm[N] = working;

proctype ResourceManager(byte id)
{
	mtype m;

	toRM[id]?prepare;
	if
	:: rm[id] = prepared; toTM!yes(id)
	:: rm[id] = aborted; toTM!no(id)
	fi;
	toRM[id]?m;
	if
	:: m == commit -> assert(rm[id] == prepared); rm[id] = committed
	:: m == abort -> rm[id] = aborted
	fi
}

proctype TransactionManager()
{
	byte i, from, votes;
	bool ok = true;
	mtype v;

	for (i : 0 .. N-1) { toRM[i]!prepare }
	do
	:: votes < N ->
		toTM?v(from);
		votes++;
		if
		:: v == no -> ok = false
		:: else
		fi
	:: else -> break
	od;
	for (i : 0 .. N-1) {
		if
		:: ok -> toRM[i]!commit
		:: !ok -> toRM[i]!abort
		fi
	}
}

init {
	byte i;
	atomic {
		run TransactionManager();
		for (i : 0 .. N-1) { run ResourceManager(i) }
	}
}

#define consistent(a, b) (!(rm[a] == committed && rm[b] == aborted) && \
                          !(rm[a] == aborted && rm[b] == committed))

ltl consistency { [] (consistent(0,1) && consistent(0,2) && consistent(1,2)) }
ltl termination { <> ((rm[0] == committed || rm[0] == aborted) &&
                      (rm[1] == committed || rm[1] == aborted)) }
