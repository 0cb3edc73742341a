/* Peterson's mutual exclusion, properties in LTL */

#define SELF  _pid
#define OTHER (1 - _pid)

bool flag[2];
bit turn;
byte ncrit;
bool in0, in1;

#define mutex   (ncrit <= 1)

active [2] proctype P()
{
again:
	flag[SELF] = true;
	turn = OTHER;
	(flag[OTHER] == false || turn == SELF);

	ncrit++;
	assert(ncrit == 1);	/* critical section */
	if
	:: SELF == 0 -> in0 = true; in0 = false
	:: else -> in1 = true; in1 = false
	fi;
	ncrit--;

	flag[SELF] = false;
	goto again
}

ltl safe { [] mutex }
ltl apart { [] !(in0 && in1) }
