/* A cabin that sweeps up and down and opens at every floor with a call; passengers may call between two moves.
 * A call at floor 3 is served: [](call[3] -> <>(open && floor == 3)). */
#define FLOORS 6

bool call[FLOORS];
bool button[FLOORS];
byte floor;
bool up = true;
bool open;
bool moves;

active proctype Passengers()
{
	byte i;

	do
	:: !moves ->
		select (i : 0 .. FLOORS - 1);
		if
		:: call[i] = true
		:: button[i] = true
		:: true
		fi;
		i = 0;
		moves = true
	od
}

active proctype Cabin()
{
	do
	:: moves ->
		if
		:: d_step { (call[floor] || button[floor]) && !open -> open = true; call[floor] = false; button[floor] = false }
		:: else ->
			d_step {
				open = false;
				if
				:: up && floor == FLOORS - 1 -> up = false
				:: !up && floor == 0 -> up = true
				:: else
				fi;
				floor = (up -> floor + 1 : floor - 1)
			}
		fi;
		moves = false
	od
}

never {
wait:
	do
	:: call[3] && !(open && floor == 3) -> goto accept_waits
	:: true
	od;
accept_waits:
	do
	:: !(open && floor == 3)
	od
}
