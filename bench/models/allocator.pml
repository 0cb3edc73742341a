/* Jobs allocate several units of three resources atomically, release them, and repeat this once.
 * Most steps are long atomic sequences with choices. */
#define JOBS 4
#define KINDS 3
#define ROUNDS 2

byte free[KINDS] = 4;
byte granted;

active [JOBS] proctype Job()
{
	byte need[KINDS], held[KINDS], k, round;

	do
	:: round < ROUNDS ->
	   atomic {
		do
		:: k < KINDS ->
			if
			:: need[k] = 0
			:: need[k] = 2
			fi;
			k++
		:: else -> break
		od;
		k = 0
	   };
	   atomic {
		need[0] <= free[0] && need[1] <= free[1] && need[2] <= free[2] ->
		do
		:: k < KINDS -> free[k] = free[k] - need[k]; held[k] = need[k]; need[k] = 0; k++
		:: else -> break
		od;
		k = 0;
		granted++
	   };
	   atomic {
		do
		:: k < KINDS ->
			assert(free[k] + held[k] <= 4);
			free[k] = free[k] + held[k];
			held[k] = 0;
			k++
		:: else -> break
		od;
		k = 0;
		granted--;
		round++
	   }
	:: round == ROUNDS -> break
	od
}
