/* A claim that does not count steps, with local steps between the visible ones: they may be merged. */
byte x, turns;
active [2] proctype P()
{
	byte i;
	do
	:: i = 1; i = 2; i = 3; x = 1; i = 0; i = 1; x = 0
	od
}
never { /* <> [] x */
wait:
	do
	:: x -> goto accept_stays
	:: true
	od;
accept_stays:
	do
	:: x
	od
}
