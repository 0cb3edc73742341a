/* A robot pushes crates in a grid of 14 by 16 cells; by construction the goal cells are never all covered.
 * A large state vector (224 bytes of grid), at most four successors. */
#define W 16
#define H 14
#define WALL 1
#define BOX 2

byte cell[224];        /* W * H */
byte robot;

inline go(d) {
	if
	:: cell[robot + d] == 0 -> robot = robot + d
	:: cell[robot + d] == BOX && cell[robot + 2 * d] == 0 ->
		cell[robot + d] = 0;
		cell[robot + 2 * d] = BOX;
		robot = robot + d
	fi
}

init
{
	byte i;

	d_step {
		for (i : 0 .. 223) {
			if
			:: i < W || i >= 208 || i % W == 0 || i % W == 15 -> cell[i] = WALL
			:: (i / W) % 3 == 0 && i % W != 3 && i % W != 12 -> cell[i] = WALL
			:: else
			fi
		}
		cell[35] = BOX;
		cell[44] = BOX;
		robot = 17;
		i = 0
	}
	do
	:: atomic { cell[robot - W] == 0 || (cell[robot - W] == BOX && cell[robot - 2 * W] == 0) -> go(-W) }
	:: atomic { cell[robot + W] == 0 || (cell[robot + W] == BOX && cell[robot + 2 * W] == 0) -> go(W) }
	:: atomic { cell[robot - 1] == 0 || (cell[robot - 1] == BOX && cell[robot - 2] == 0) -> go(-1) }
	:: atomic { cell[robot + 1] == 0 || (cell[robot + 1] == BOX && cell[robot + 2] == 0) -> go(1) }
	od
}
