/* x is asked for once more, by the receive that compares a message with it. */
chan c = [1] of { byte };

active proctype P() {
	byte x;

	x = 3;
	c ! 3;
	c ? eval(x)
}
