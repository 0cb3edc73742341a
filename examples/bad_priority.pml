/* Priorities are numbers from 1 to 255. */

active proctype low() priority 1
{
	set_priority(_pid, 300)
}

active proctype high() priority 10
{
	skip
}
