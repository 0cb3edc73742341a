/* Asks where the worker stands before there is one. */

byte worker_number = 5;

proctype worker()
{
busy:	skip
}

init {
	run worker();
	if
	:: worker[worker_number]@busy -> skip
	:: else -> skip
	fi
}
