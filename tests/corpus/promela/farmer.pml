/* The farmer, the wolf, the goat and the cabbage: the counterexample to the
 * "impossible" property is the solution of the puzzle. */

#define LEFT  0
#define RIGHT 1

bit farmer, wolf, goat, cabbage;

#define eaten ((wolf == goat && farmer != goat) || (goat == cabbage && farmer != goat))
#define solved (farmer && wolf && goat && cabbage)

active proctype boat()
{
	do
	:: d_step { !eaten && wolf == farmer    -> wolf = 1 - wolf; farmer = 1 - farmer }
	:: d_step { !eaten && goat == farmer    -> goat = 1 - goat; farmer = 1 - farmer }
	:: d_step { !eaten && cabbage == farmer -> cabbage = 1 - cabbage; farmer = 1 - farmer }
	:: d_step { !eaten                      -> farmer = 1 - farmer }
	:: eaten -> break
	:: solved -> break
	od
}

ltl impossible { !(!eaten U solved) }
