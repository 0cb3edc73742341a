/* The value of the second message depends on a variable that is read nowhere else: it is not hidden, and the
   forbidden trace occurs. */
chan c = [0] of { byte };
byte next = 1, unread;
active proctype S()
{
	c!next;
	unread = 3;
	next = next + 1;
	c!next
}
active proctype R()
{
	byte x;
	c?x; c?x
}
notrace {
	c!1;
	c!2
}
