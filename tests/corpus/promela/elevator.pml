/* An elevator for three floors */
#define FLOORS 3

mtype = { up, down, stopped };

mtype dir = stopped;
byte at = 0;
bool door[FLOORS];
bool call[FLOORS];

proctype Person(byte n)
{
	byte dest;

	do
	:: atomic {
		!call[n] -> call[n] = true
	   };
	   (door[n] && at == n)
	od
}

proctype Cabin()
{
	byte i;
	bool above, below;

	do
	:: d_step {
		above = false; below = false;
		for (i : 0 .. FLOORS - 1) {
			if
			:: i > at && call[i] -> above = true
			:: i < at && call[i] -> below = true
			:: else
			fi
		}
		i = 0
	   };
	   if
	   :: call[at] ->
		door[at] = true;
		call[at] = false;
		door[at] = false
	   :: !call[at] && above && (dir == up || !below) ->
		dir = up; at++
	   :: !call[at] && below && (dir != up || !above) ->
		dir = down; at--
	   :: !call[at] && !above && !below ->
		dir = stopped
	   fi
	od
}

init {
	atomic {
		run Cabin();
		run Person(0);
		run Person(2)
	}
}

#define closed (!door[0] && !door[1] && !door[2])

ltl one_door { [] !((door[0] && door[1]) || (door[0] && door[2]) || (door[1] && door[2])) }
ltl in_range { [] (at < FLOORS) }
ltl door_here { [] ((door[0] -> at == 0) && (door[1] -> at == 1) && (door[2] -> at == 2)) }
