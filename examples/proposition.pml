/* A proposition whose evaluation fails in some state is a violation like any other. */

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
