/* Lifts of a tower share the power of three motors. */
#define N 10
#define TOP 15

byte moving;

active [N] proctype Lift()
{
	byte floor;
	bit open, goes, up;

	do
	:: d_step { goes == 0 && open == 0 -> open = 1 }
	:: d_step { open == 1 -> open = 0 }
	:: d_step { open == 0 && goes == 0 && moving < 3 -> goes = 1; moving++ }
	:: d_step { goes == 1 && up == 1 && floor < TOP -> floor++ }
	:: d_step { goes == 1 && up == 0 && floor > 0 -> floor-- }
	:: d_step { goes == 1 -> goes = 0; moving--; up = 1 - up }
	od
}
