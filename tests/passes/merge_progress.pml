/* The progress label is between two local steps of the loop: if they are merged, the loop makes no progress. */
active proctype P()
{
	byte i;
	do
	:: i = 1;
progress:	i = 2;
	   i = 3
	od
}
