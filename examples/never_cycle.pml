/* A never claim that accepts an execution: from some point on the door stays open. */

bool open;

active proctype door()
{
	open = true;
	do
	:: open = false; open = true
	:: skip
	od
}

never
{
	do
	:: true
	:: open -> goto accept_open
	od;
accept_open:
	do
	:: open
	od
}
