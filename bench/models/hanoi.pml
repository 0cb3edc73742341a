/* The towers of Hanoi with all legal moves: one to three successors and a very long path.
 * One process with variables of type short. */
#define DISCS 13

short peg[DISCS];      /* of each disc, the smallest first */
short moves;

active proctype Mover()
{
	byte d, to;

	do
	:: atomic {
		/* The smallest disc goes round, another moves only where the smaller ones are out of the way. */
		d = 0;
		if
		:: peg[0] = (peg[0] + 1) % 3
		:: peg[0] = (peg[0] + 2) % 3
		:: d = 1;
		   do
		   :: d < DISCS && peg[d] == peg[0] -> d++
		   :: else -> break
		   od;
		   if
		   :: d < DISCS -> to = 3 - peg[0] - peg[d]; peg[d] = to
		   :: else
		   fi
		fi;
		assert(peg[0] >= 0 && peg[0] < 3);
		d = 0;
		to = 0
	   }
	od
}
