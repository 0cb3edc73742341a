/* A formula that counts steps: no steps may be merged. */
byte x;
active proctype P()
{
	byte i;
	x = 1;
	i = 1;
	i = 2;
	x = 2
}
ltl two_later { [] ((x == 1) -> X X X (x == 2)) }
