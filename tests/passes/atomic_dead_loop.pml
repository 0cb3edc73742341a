/* Inside an uninterrupted sequence the only variable that changes is dead. */
byte x, y;
active proctype P()
{
	atomic {
		x = 1;
		do
		:: y < 3 -> y++
		:: break
		od;
		y = 0
	}
}
active proctype Q() { x == 1; assert(y == 0) }
