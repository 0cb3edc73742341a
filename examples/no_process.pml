/* Process number 0 is not a worker but the one that asks. */

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
