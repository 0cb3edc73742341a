/* Two tasks of different priority and a resource with a ceiling protocol:
 * only the running task moves.  (scheduler modelled by hand) */

mtype = { idle, waiting, running };

mtype h_state = idle;
mtype l_state = idle;
bool  busy = false;	/* resource taken */
bool  ceiling = false;	/* low task runs with the priority of the resource */

/* provided clauses model the scheduler */
active proctype high() provided (!ceiling)
{
end:
	do
	:: h_state = waiting;
	   atomic { !busy -> busy = true };
	   h_state = running;
	   assert(l_state != running);
	   atomic { h_state = idle; busy = false }
	od
}

active proctype low() provided (h_state == idle || ceiling)
{
end:
	do
	:: l_state = waiting;
	   atomic { !busy -> busy = true; ceiling = true };
	   l_state = running;
	   assert(h_state != running);
	   atomic { l_state = idle; busy = false; ceiling = false }
	od
}

ltl exclusive { [] !(h_state == running && l_state == running) }
