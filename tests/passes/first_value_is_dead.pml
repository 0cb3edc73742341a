/* The initial value of b is dead, and so are all others: resetting all but the initial value would double the loop. */
byte a;
byte b = 1;

active proctype P() {
	do
	:: a = 2;
	   a = 0;
	   b = 1
	od
}
