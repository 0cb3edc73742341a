/* A proposition that cannot be evaluated in some state is a fault like any other. */

byte slot[3];
byte next;

active proctype writer()
{
	do
	:: next < 3 -> next++
	:: next == 3 -> break
	od
}

ltl empty_slots { [] (slot[next] == 0) }
