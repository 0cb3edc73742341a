/* A never claim with an assertion, which is checked between any two steps. */

byte level;

active proctype tank()
{
	do
	:: level < 3 -> level++
	:: level > 0 -> level--
	od
}

never
{
	do
	:: assert(level != 2)
	od
}
