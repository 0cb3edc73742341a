/* Two jugs of seven and five litres: fill, empty, pour. */
byte a, b;

active proctype Pour()
{
	byte room;

	do
	:: a = 7
	:: b = 5
	:: a = 0
	:: b = 0
	:: d_step { room = 5 - b; room = (a < room -> a : room); a = a - room; b = b + room; room = 0 }
	:: d_step { room = 7 - a; room = (b < room -> b : room); b = b - room; a = a + room; room = 0 }
	:: assert(a <= 7 && b <= 5)
	od
}
