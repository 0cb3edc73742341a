/* Process 0 is not a worker but the process that evaluates the reference. */

byte worker_number;

proctype worker()
{
	byte load = 1;
	load--
}

init {
	run worker();
	worker[worker_number]:load == 0
}
