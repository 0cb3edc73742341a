/* Workers meet at a barrier with two phases; each has a private computation of several steps. */
#define N 24

byte arrived;
bit phase;

active [N] proctype Worker()
{
	byte step;
	bit own;

	do
	:: step < 5 -> step++
	:: atomic { step == 5 ->
		own = 1 - own;
		step = 6;
		arrived++;
		if
		:: arrived == N -> arrived = 0; phase = own
		:: else
		fi
	   }
	:: atomic { step == 6 && phase == own -> step = 0 }
	od
}
