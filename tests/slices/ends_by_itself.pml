/* The loop ends after three iterations; it is irrelevant to the value of x, but not to whether x becomes 1. */
byte x, i;
active proctype P()
{
	do
	:: i < 3 -> i++
	:: else -> break
	od;
	x = 1
}
ltl comes { <> (x == 1) }
ltl stays { [] (x == 0) }
