/* The element that is stored is never asked for; the index is, for it is out of range. */
byte a[3];
active proctype P()
{
	byte i = 2;
	do
	:: i < 4 -> a[i] = 1; i++
	:: else -> break
	od
}
