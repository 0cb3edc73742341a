/* x is also read by the receive that matches a message with it. */
chan c = [1] of { byte };

active proctype P() {
	byte x;

	x = 3;
	c ! 3;
	c ? eval(x)
}
