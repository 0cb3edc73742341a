/* Selective repeat with a window of 3 and sequence numbers modulo 4: an old
 * frame is taken for a new one. */
#define WIN 3
#define MOD 4
#define FRAMES 7

chan link = [3] of { byte, byte };	/* number mod MOD, real number */
byte acked = 0;				/* cumulative, seen by the sender */

proctype sender()
{
	byte n;

	do
	:: acked < FRAMES ->
		/* send any frame in the window, again or for the first time */
		if
		:: n = acked
		:: n = acked + 1
		:: n = acked + 2
		fi;
		if
		:: n < FRAMES -> link!n % MOD, n
		:: else -> skip
		fi
	:: else -> break
	od
}

proctype receiver()
{
	byte s, real, i;
	byte low = 0;
	bool have[MOD];

end:	do
	:: link?s, real ->
		d_step {
			if
			:: ((s + MOD - (low % MOD)) % MOD) < WIN && !have[s] ->
				assert(real >= low);
				have[s] = true;
				do
				:: have[low % MOD] -> have[low % MOD] = false; low++
				:: else -> break
				od
			:: else -> skip
			fi
		};
		if
		:: acked = low
		:: skip
		fi
	od
}

init { atomic { run sender(); run receiver() } }
