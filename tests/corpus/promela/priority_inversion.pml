/* Mars Pathfinder: the high task waits for the mutex of the low task, which
 * may not run while the high one is ready. */
mtype = { free, busy, idle, waiting, running };

show mtype h_state = idle;
show mtype l_state = idle;
show mtype mutex = free;

active proctype high()	/* can run at any time */
{
end:	do
	:: h_state = waiting;
		atomic { mutex == free -> mutex = busy };
		h_state = running;

		/* critical section - consume data */

		atomic { h_state = idle; mutex = free }
	od
}

active proctype low() provided (h_state == idle)	/* scheduling rule */
{
end:	do
	:: l_state = waiting;
		atomic { mutex == free -> mutex = busy };
		l_state = running;

		/* critical section - produce data */

		atomic { l_state = idle; mutex = free }
	od
}
