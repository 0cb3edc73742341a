/* Byzantine generals, three of them and one is a traitor: no agreement. */

mtype = { attack, retreat };

#define N 3

typedef Row { chan to[N] = [1] of { mtype } };
Row link[N];

mtype decided[N];

proctype commander(bool traitor; mtype order)
{
	if
	:: traitor -> link[0].to[1]!attack; link[0].to[2]!retreat
	:: else -> link[0].to[1]!order; link[0].to[2]!order
	fi
}

proctype lieutenant(byte me, other; bool traitor)
{
	mtype mine, heard;

	link[0].to[me]?mine;
	if
	:: traitor && mine == attack -> link[me].to[other]!retreat
	:: traitor && mine == retreat -> link[me].to[other]!attack
	:: !traitor -> link[me].to[other]!mine
	fi;
	link[other].to[me]?heard;
	if
	:: mine == heard -> decided[me] = mine
	:: else -> decided[me] = mine		/* believe the commander */
	fi
}

init {
	bool t0, t2;

	if
	:: t0 = true
	:: t2 = true
	:: skip
	fi;
	atomic {
		run commander(t0, attack);
		run lieutenant(1, 2, false);
		run lieutenant(2, 1, t2)
	};
	(_nr_pr == 1);
	assert(t2 || decided[1] == decided[2])
}
