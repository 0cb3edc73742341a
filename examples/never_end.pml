/* A never claim that reaches its end: the counter exceeds 2. */

byte count;

active proctype counter()
{
	do
	:: count < 4 -> count++
	:: else -> break
	od
}

never
{
	do
	:: count > 2 -> break
	:: else
	od
}
