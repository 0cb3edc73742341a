/* Read-copy-update: a reader may see the old or the new version, never a
 * freed one.  Quiescent states are counted per reader. */

#define READERS 2
#define UPDATES 2

byte ptr = 0;			/* index of the current version */
bool valid[3];			/* version is allocated */
byte nesting[READERS];		/* 1 inside of a read-side section */

inline rcu_read_lock(r)   { nesting[r] = 1 }
inline rcu_read_unlock(r) { nesting[r] = 0 }
inline rcu_dereference(v) { v = ptr }

proctype Reader(byte me)
{
	byte v;

	do
	:: rcu_read_lock(me);
	   rcu_dereference(v);
	   assert(valid[v]);
	   assert(valid[v]);
	   rcu_read_unlock(me);
	   v = 0
	:: break
	od
}

proctype Updater()
{
	byte old, i;
	byte n = 0;

	do
	:: n < UPDATES ->
		old = ptr;
		valid[n + 1] = true;
		ptr = n + 1;
		/* synchronize_rcu() */
		i = 0;
		do
		:: i < READERS ->
			(nesting[i] == 0);
			i++
		:: else -> break
		od;
		valid[old] = false;
		n++
	:: else -> break
	od
}

init {
	valid[0] = true;
	atomic {
		run Updater();
		run Reader(0);
		run Reader(1)
	}
}
