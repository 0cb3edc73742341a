/* A wrong proof by decision diagrams: a variable without bounds began with a code of eight bits and a sign, in which its
   initial value does not fit, so that the set of initial states was empty.
   expected: 40 states, 40 transitions, Assertion */
active proctype P() {
	int x = 200;
	do
	:: x > -1000 -> x = x - 70
	:: else -> break
	od;
	assert(x > -1000)
}
