/* The escape leaves the relevant statements. */
byte x, y;
active proctype P()
{
	{ y == 2; x = 1; x = 2 } unless { y == 1 -> x = 3 }
}
active proctype Q() { if :: y = 1 :: y = 2 fi; y = 1 }
ltl no_two { [] (x != 2) }
ltl no_three { [] (x != 3) }
ltl two_or_three { <> (x >= 2) }
