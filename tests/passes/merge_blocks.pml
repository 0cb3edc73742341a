/* A local condition that is never true: the process blocks there, which is a deadlock. */
byte x;
active proctype P()
{
	byte i;
	x = 1;
	i = 2;
	(i == 3);
	x = 2
}
active proctype Q() { x == 2 }
