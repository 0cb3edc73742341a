/* The argument is never asked for, but it cannot be worked out. */
byte zero;
proctype P(byte unused) { skip }
init {
	zero = 1;
	zero = 0;
	run P(1 / zero)
}
