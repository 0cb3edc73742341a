/* What is evaluated only because it can be a fault is evaluated with its value: x is written once, asked for in a
   division whose result nobody wants. */
byte x = 1, unwanted;
active proctype P()
{
	byte y = 3;
	x = 0;
	y = 2;
	unwanted = y / x
}
active proctype Q() { byte z; z = x }
