/* Readers and writers with a monitor, after an exercise on concurrency. */

#define READERS 2
#define WRITERS 2

bit lock = 0;			/* monitor lock */
byte nr = 0, nw = 0;		/* inside */
byte waitingWriters = 0;

inline enterMon() { atomic { lock == 0 -> lock = 1 } }
inline leaveMon() { assert(lock == 1); lock = 0 }

/* wait(c): leave the monitor, await the condition, and enter again */
inline await(c) {
	do
	:: c -> break
	:: else ->
		leaveMon();
		atomic { (c) && lock == 0 -> lock = 1 }
	od
}

active [READERS] proctype Reader()
{
	do
	::	enterMon();
		await(nw == 0 && waitingWriters == 0);
		nr++;
		leaveMon();

		assert(nw == 0);

		enterMon();
		nr--;
		leaveMon()
	od
}

active [WRITERS] proctype Writer()
{
	do
	::	enterMon();
		waitingWriters++;
		await(nw == 0 && nr == 0);
		waitingWriters--;
		nw++;
		leaveMon();

		assert(nw == 1 && nr == 0);

		enterMon();
		nw--;
		leaveMon()
	od
}
