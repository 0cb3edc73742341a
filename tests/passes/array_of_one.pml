/* An array of one element that is never written is constant, but a read may fail: the index may be out of bounds. */
byte a[1], i, b;

active proctype P() {
	i = 1;
	b = a[i];
	assert(b == 0)
}
