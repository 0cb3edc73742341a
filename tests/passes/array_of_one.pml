/* An array of one element that nobody writes has one value, and yet reading it can go wrong: the index may be beyond it. */
byte a[1], i, b;

active proctype P() {
	i = 1;
	b = a[i];
	assert(b == 0)
}
