/* A first value that is too large for its variable is cut, by whoever knows it before the search as well. */
active proctype P() {
	byte x = 257;

	assert(x == 1)
}
