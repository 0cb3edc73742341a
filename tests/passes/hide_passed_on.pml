/* x is read only to write y, which is relevant. */
byte x, y;

active proctype P() {
	x = 5;
	y = x;
	assert(y == 5)
}
