/* Two transactions that abort each other: optimistic locking with retry. */

mtype = { none, t1, t2 };
mtype lockA = none, lockB = none;

inline acquire(l, me) {
	if
	:: atomic { l == none -> l = me }
	:: l != none -> goto rollback
	fi
}

active proctype T1()
{
retry:	acquire(lockA, t1);
	acquire(lockB, t1);
progress_commit1:
	lockB = none;
	lockA = none;
	goto retry;
rollback:
	atomic { if :: lockA == t1 -> lockA = none :: else fi };
	goto retry
}

active proctype T2()
{
retry:	acquire(lockB, t2);
	acquire(lockA, t2);
progress_commit2:
	lockA = none;
	lockB = none;
	goto retry;
rollback:
	atomic { if :: lockB == t2 -> lockB = none :: else fi };
	goto retry
}
