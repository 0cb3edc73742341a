/* The second process divides by the value that the first has left. */

byte rest = 1;

active [2] proctype taker()
{
	byte share;
	share = 10 / rest;
	rest--
}
