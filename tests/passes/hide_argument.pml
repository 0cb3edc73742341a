/* The argument is dead, but its evaluation fails. */
byte zero;
proctype P(byte unused) { skip }
init {
	zero = 1;
	zero = 0;
	run P(1 / zero)
}
