/* Two processes of a type with different arguments: what the first is given is not what each of them is given. */
proctype P(byte x) {
	assert(x == 1)
}

init {
	run P(1);
	run P(2)
}
