/* P rests at a progress label at first. The non-progress cycle is that of Q after P has left the label, so the step
   from the label is observed. */
byte x, y;
active proctype P()
{
progress:
	x = 1;
	x = 2
}
active proctype Q()
{
	do
	:: y = 1; y = 0
	od
}
