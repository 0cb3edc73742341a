/* Two groups of frogs on a row of stones move by hops and jumps, in both directions.
 * Very few successors, one array. */
#define STONES 19

byte stone[STONES];
byte gap = 9;

active proctype Pond()
{
	byte i;

	d_step {
		for (i : 0 .. 8) { stone[i] = 1; stone[i + 10] = 2 }
		i = 0
	}
	do
	:: d_step { gap > 0 -> stone[gap] = stone[gap - 1]; gap--; stone[gap] = 0 }
	:: d_step { gap > 1 && stone[gap - 1] != stone[gap - 2] -> stone[gap] = stone[gap - 2]; gap = gap - 2; stone[gap] = 0 }
	:: d_step { gap < STONES - 1 -> stone[gap] = stone[gap + 1]; gap++; stone[gap] = 0 }
	:: d_step { gap < STONES - 2 && stone[gap + 1] != stone[gap + 2] -> stone[gap] = stone[gap + 2]; gap = gap + 2; stone[gap] = 0 }
	:: assert(stone[gap] == 0)
	od
}
