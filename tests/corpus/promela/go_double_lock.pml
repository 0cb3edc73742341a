/* Translated from Go: a method that holds the mutex calls another method
 * that locks it again.
 *
 *	func (c *Cache) Get(k) { c.mu.Lock(); defer c.mu.Unlock(); if miss { c.load(k) } }
 *	func (c *Cache) load(k) { c.mu.Lock(); ...; c.mu.Unlock() }
 */
chan mu_lock = [0] of { bool };
chan mu_unlock = [0] of { bool };

proctype mutexMonitor(chan lck, unlck)
{
	bool locked = false;

end:	do
	:: locked ->
		unlck?false;
		locked = false
	:: !locked ->
		if
		:: unlck?false -> assert(0 == 32)	/* unlock of unlocked mutex */
		:: lck?false -> locked = true
		fi
	od
}

proctype load(chan child)
{
	mu_lock!false;
	mu_unlock!false;
	child!0
}

proctype Get(chan child)
{
	chan ret = [0] of { int };

	mu_lock!false;
	if
	:: true -> run load(ret); ret?0	/* miss */
	:: true				/* hit */
	fi;
	mu_unlock!false;
	child!0
}

init {
	chan r1 = [0] of { int };
	chan r2 = [0] of { int };

	run mutexMonitor(mu_lock, mu_unlock);
	run Get(r1);
	run Get(r2);
	r1?0;
	r2?0
}
