/* Two processes of a type with different arguments: the argument of the first is not that of every instance. */
proctype P(byte x) {
	assert(x == 1)
}

init {
	run P(1);
	run P(2)
}
