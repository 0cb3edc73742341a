/* An initial value that is too large for its variable is truncated, also by constant propagation. */
active proctype P() {
	byte x = 257;

	assert(x == 1)
}
