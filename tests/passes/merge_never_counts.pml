/* A claim that counts the states with x == 1: there are three, and merging the local steps leaves one. */
byte x;
active proctype P()
{
	byte i;
	x = 1;
	i = 1;
	i = 2;
	x = 2
}
never {
	do
	:: x == 1 -> break
	:: else
	od;
	x == 1;
	x == 1;
	x == 2
}
