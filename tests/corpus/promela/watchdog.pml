/* A watchdog restarts the worker when the heart beat stops.  The escape
 * sequence (unless) resets the worker in the middle of an update. */
mtype = { beat };

chan heart = [1] of { mtype };
bool reset_;
byte a, b;		/* updated together */

active proctype worker()
{
again:
	{
		do
		:: a = (a + 1) % 3;
		   b = (b + 1) % 3;
		   if
		   :: heart!beat
		   :: full(heart)
		   fi
		:: break
		od;
		(reset_)	/* hangs */
	} unless {
		atomic { reset_ -> reset_ = false; assert(a == b); a = 0; b = 0; goto again }
	}
}

active proctype dog()
{
	do
	:: heart?beat
	:: empty(heart) && !reset_ -> reset_ = true
	od
}
