/* One element is written, then another: the first is still live. */
active proctype P() {
	byte a[2];

	a[0] = 1;
	a[1] = 2;
	assert(a[0] == 1 && a[1] == 2)
}
