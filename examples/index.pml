/* The loop runs one iteration too far. */

byte table[4];

active proctype filler()
{
	byte i;
	do
	:: i <= 4 ->
		table[i] = i;
		i++
	:: else -> break
	od
}
