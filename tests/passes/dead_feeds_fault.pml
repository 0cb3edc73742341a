/* An expression that is evaluated only because it may fail needs its operands: x is written once and read in a
   division whose result is dead. */
byte x = 1, unwanted;
active proctype P()
{
	byte y = 3;
	x = 0;
	y = 2;
	unwanted = y / x
}
active proctype Q() { byte z; z = x }
