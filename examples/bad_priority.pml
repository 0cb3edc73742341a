/* Priorities range from 1 to 255; this one exceeds the range. */

byte step = 10;

active proctype low() priority 1
{
	short wanted = 250;
	set_priority(_pid, wanted + step)
}

active proctype high() priority 10
{
	skip
}
