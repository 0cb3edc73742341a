/* Whoever comes second divides by what the first has left. */

byte rest = 1;

active [2] proctype taker()
{
	byte share;
	share = 10 / rest;
	rest--
}
