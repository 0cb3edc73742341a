/* A farmer, a wolf, a goat and a cabbage; forbidden crossings block. */
bool side[4];          /* farmer, wolf, goat, cabbage */
#define SAFE ((side[1] != side[2] || side[0] == side[1]) && (side[2] != side[3] || side[0] == side[2]))

active proctype Farmer()
{
	byte with_;

	do
	:: SAFE ->
		if
		:: with_ = 0
		:: with_ = 1
		:: with_ = 2
		:: with_ = 3
		fi;
		if
		:: side[with_] == side[0] ->
			d_step {
				side[0] = !side[0];
				if
				:: with_ > 0 -> side[with_] = side[0]
				:: else
				fi
			}
		:: else
		fi
	:: !SAFE -> break
	od
}
