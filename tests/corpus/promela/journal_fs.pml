/*
 * A file system with a write-ahead journal.  A transfer between two blocks
 * is written to the journal, committed, checkpointed.  The machine may crash
 * at any moment, recovery replays a committed journal.
 */
mtype = { running, crashed, recovering, down };

byte disk[2];			/* two blocks, invariant: equal after recovery */
byte jdata[2];			/* journal */
bool jcommit;
mtype mode = running;
byte crashes;

#define MAXCRASH 2
#define VERSIONS 3

#define step(s) \
	atomic { \
		if \
		:: mode == running -> s \
		:: mode != running -> goto dead \
		fi \
	}

proctype Writer()
{
	byte v = disk[0];

	do
	:: v < VERSIONS ->
		v++;
		step(jdata[0] = v);
		step(jdata[1] = v);
		step(jcommit = true);
		step(disk[0] = jdata[0]);
		step(disk[1] = jdata[1]);
		step(jcommit = false)
	:: else -> break
	od;
dead:
	atomic {
		if
		:: mode == running -> mode = down
		:: mode == crashed -> mode = recovering; run Recovery()
		fi
	}
}

proctype Recovery()
{
	if
	:: jcommit ->
		disk[0] = jdata[0];
		disk[1] = jdata[1];
		jcommit = false
	:: !jcommit
	fi;
	assert(disk[0] == disk[1]);
	atomic {
		mode = running;
		run Writer()
	}
}

active proctype Crash()
{
end:	do
	:: atomic { mode == running && crashes < MAXCRASH ->
		crashes++; mode = crashed }
	od
}

init { run Writer() }
