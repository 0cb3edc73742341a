/* The loop ends after three rounds; that is not relevant to what x is, but to whether it comes to be 1. */
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
