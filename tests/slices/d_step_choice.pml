/* A deterministic sequence takes the first executable option. */
byte x, y, z;
active proctype P()
{
	d_step {
		if
		:: y == 1 -> x = 1
		:: true -> x = 2
		fi;
		do
		:: z < 3 -> z++
		:: else -> break
		od
	}
}
active proctype Q() { y = 1 }
ltl one { [] (x != 1) }
ltl two { [] (x != 2) }
ltl some { <> (x > 0) }
