/* Declared deterministic, but both options are executable when x is 1. */

byte x;

active D_proctype chooser()
{
	if
	:: x >= 1 -> x = 0
	:: x <= 1 -> x = 2
	fi
}

active proctype other()
{
	x = 1
}
