/* Nobody asks for the first value of b, nor for any other: with all of them reset but the first, a round of the loop would be two. */
byte a;
byte b = 1;

active proctype P() {
	do
	:: a = 2;
	   a = 0;
	   b = 1
	od
}
