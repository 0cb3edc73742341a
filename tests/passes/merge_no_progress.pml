/* A loop without progress beside one with progress; both have local steps that may be merged. */
byte x;
active proctype P()
{
	byte i;
	do
	:: i = 1; i = 2;
progress:	x = 1; i = 3; i = 0; x = 0
	od
}
active proctype Q()
{
	byte i;
	do
	:: i = 1; i = 2; i = 3; i = 0; x = 2
	od
}
