/* After a sleep the clock has advanced by its duration. */
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

void *nap(void *unused)
{
	struct timespec before, pause = { 0, 100000000 }, after;

	clock_gettime(CLOCK_MONOTONIC, &before);
	nanosleep(&pause, 0);
	clock_gettime(CLOCK_MONOTONIC, &after);
	long passed = (after.tv_sec - before.tv_sec) * 1000000000L + after.tv_nsec - before.tv_nsec;
	assert(passed >= 100000000);
	return unused;
}

int main(void)
{
	pthread_t thread;
	time_t begin = time(0);

	pthread_create(&thread, 0, nap, 0);
	sleep(2);
	assert(10 / (time(0) - begin) <= 5);
	pthread_join(thread, 0);
	return 0;
}
