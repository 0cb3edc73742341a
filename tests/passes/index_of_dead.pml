/* The stored element is dead; the index is live, because it is out of bounds. */
byte a[3];
active proctype P()
{
	byte i = 2;
	do
	:: i < 4 -> a[i] = 1; i++
	:: else -> break
	od
}
