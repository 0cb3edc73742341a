/* x is asked for only to write y, and that decides something. */
byte x, y;

active proctype P() {
	x = 5;
	y = x;
	assert(y == 5)
}
