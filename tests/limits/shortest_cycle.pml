/* A cycle of one step at the end of 250 steps is found at once. Whether another one is nearer is only known after all
   states within 250 steps, which are more than a hundred million. */
byte y, a, b, c, d;

ltl returns { [] <> (y < 250) }

active proctype counters() {
	do
	:: y < 250 -> y++
	:: y == 250 -> break
	:: a++
	:: b++
	:: c++
	:: d++
	od;
	do
	:: true -> skip
	od
}
