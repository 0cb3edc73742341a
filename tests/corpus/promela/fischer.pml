/* Fischer's protocol in discrete time: a clock process ticks when every
 * deadline allows it.  DELTA < EPSILON. */

#define N       3
#define DELTA   1
#define EPSILON 2
#define OFF     255

byte lock = 0;
byte timer[N + 1] = OFF;	/* remaining time */
byte deadline[N + 1] = OFF;	/* must move before it is 0 */
byte cs;

#define expired(i) (timer[i] == 0)

proctype P(byte i)
{
	do
	:: atomic { lock == 0 -> deadline[i] = DELTA };
	   atomic { lock = i; deadline[i] = OFF; timer[i] = EPSILON };
	   atomic { expired(i) -> timer[i] = OFF };
	   if
	   :: lock == i ->
		cs++;
		assert(cs == 1);
		cs--;
		lock = 0
	   :: else -> skip
	   fi
	od
}

proctype Clock()
{
	byte i;
	bool may;

	do
	:: d_step {
		may = true;
		i = 1;
		do
		:: i <= N ->
			if
			:: deadline[i] == 0 -> may = false
			:: else
			fi;
			i++
		:: else -> break
		od;
		i = 1;
		do
		:: may && i <= N ->
			if
			:: timer[i] != OFF && timer[i] > 0 -> timer[i]--
			:: else
			fi;
			if
			:: deadline[i] != OFF -> deadline[i]--
			:: else
			fi;
			i++
		:: else -> break
		od;
		i = 0; may = false
	   }
	od
}

init {
	byte k;
	atomic {
		run Clock();
		k = 1;
		do
		:: k <= N -> run P(k); k++
		:: else -> break
		od
	}
}
