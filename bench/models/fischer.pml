/* Fischer's timed lock with clocks advanced by a ticker process: setting takes less time than waiting.
 * Shared variables; one process changes many at once. */
#define N 6
#define SET 2          /* at most so long between seeing the lock free and taking it */
#define WAIT 3         /* at least so long before looking again */
#define IDLE 9

byte owner;            /* number of a process and 1; 0 is free */
byte clock[N] = IDLE;
bool deadline[N];
byte inside;

active [N] proctype Process()
{
	do
	:: atomic { owner == 0 -> clock[_pid] = 0; deadline[_pid] = true };
	   atomic { owner = _pid + 1; clock[_pid] = 0; deadline[_pid] = false };
	   atomic { clock[_pid] >= WAIT -> clock[_pid] = IDLE };
	   if
	   :: owner == _pid + 1 ->
		inside++;
		assert(inside == 1);
		inside--;
		owner = 0
	   :: owner != _pid + 1
	   fi
	od
}

active proctype Ticker()
{
	byte i;
	bool may;

	do
	:: d_step {
		may = true;
		for (i : 0 .. N - 1) { may = may && !(deadline[i] && clock[i] >= SET) }
		if
		:: may ->
			for (i : 0 .. N - 1) {
				if
				:: clock[i] < WAIT -> clock[i]++
				:: else
				fi
			}
		:: else
		fi;
		i = 0
	   }
	od
}
