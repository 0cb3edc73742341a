/* Master and workers: jobs in a queue, results in another one; workers
 * are created with run and die when they read the poison pill. */
#define JOBS    4
#define WORKERS 2
#define POISON  255

chan jobs = [2] of { byte };
chan results = [2] of { byte, byte };

proctype worker()
{
	byte j;

	do
	:: jobs?j ->
		if
		:: j == POISON -> break
		:: else -> results!j,(j * j)
		fi
	od
}

proctype feeder()
{
	byte i;

	for (i : 1 .. JOBS) { jobs!i }
	for (i : 1 .. WORKERS) { jobs!POISON }
}

init {
	byte i, j, r, sum;

	atomic {
		for (i : 1 .. WORKERS) { run worker() }
		run feeder()
	}
	for (i : 1 .. JOBS) {
		results?j,r;
		assert(r == j * j);
		sum = sum + r
	}
	assert(sum == 30);
	(_nr_pr == 1);
	assert(empty(jobs) && empty(results))
}
