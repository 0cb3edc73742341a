/* An event trace observes messages, not the counter of the sender: the counter is not stored. */
chan c = [1] of { byte };
byte sent;
active proctype S()
{
	do
	:: c!1; sent++; c!2; sent++
	od
}
active proctype R()
{
	byte x;
	do
	:: c?x
	od
}
trace {
	do
	:: c!1; c!2
	od
}
