/* A private condition that never holds: the process rests before it, and that is a deadlock. */
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
