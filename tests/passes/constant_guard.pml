/* Constants in conditions, in an index and as a divisor. */
byte n = 3, none;
byte a[3];
proctype P(byte k)
{
	byte i;
	if
	:: n == 3 -> a[k] = n - 1
	:: n == 4 -> a[n] = 1
	fi;
	i = a[n - 1] / none;
	assert(i == 2)
}
init { run P(2) }
