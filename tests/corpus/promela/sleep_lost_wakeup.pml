/* Plan 9 sleep and wakeup, the version with the lost signal. */
mtype = { Wakeme, Running };

bit lk, sleep_q;
bit r_lock, r_want;
mtype State = Running;

active proctype client()
{
sleep:
	atomic { (lk == 0) -> lk = 1 };		/* spinlock(&lk) */
	do
	:: (r_lock == 1) ->			/* r->lock == 1 */
		r_want = 1;
		State = Wakeme;
		lk = 0;
		(State == Running)
	:: else ->
		break
	od;
progress:
	assert(r_lock == 0);
	r_lock = 1;
	lk = 0;
	goto sleep
}

active proctype server()
{
	do
	::	r_lock = 0;
		(lk == 0);			/* wait until the lock is free */
		if
		:: r_want ->
			atomic { (sleep_q == 0) -> sleep_q = 1 };
			r_want = 0;
			if
			:: (State == Wakeme) -> State = Running
			:: else
			fi;
			sleep_q = 0
		:: else
		fi
	od
}
