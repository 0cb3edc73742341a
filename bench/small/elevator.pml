/* A lift between five floors, with requests from inside and outside. */
#define FLOORS 5
bool wanted[FLOORS];
byte floor;
bool open, up;

active proctype Lift()
{
	do
	:: atomic { wanted[floor] -> open = true; wanted[floor] = false }; open = false
	:: atomic { !wanted[floor] && !open && up && floor < FLOORS - 1 -> floor++ }
	:: atomic { !wanted[floor] && !open && up && floor == FLOORS - 1 -> up = false }
	:: atomic { !wanted[floor] && !open && !up && floor > 0 -> floor-- }
	:: atomic { !wanted[floor] && !open && !up && floor == 0 -> up = true }
	od
}

active proctype People()
{
	byte f;

	do
	:: select (f : 0 .. FLOORS - 1);
	   wanted[f] = true;
	   assert(f < FLOORS)
	od
}
