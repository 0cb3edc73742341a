/* One thread publishes a value, another uses it once it is there. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int value;
_Atomic int ready;

void *producer(void *unused)
{
	printf("publishing\n");
	value = 42;
	ready = 1;
	return 0;
}

void *consumer(void *unused)
{
	if (ready)
		assert(value == 42);
	return 0;
}

int main(void)
{
	pthread_t p, c;

	pthread_create(&p, 0, producer, 0);
	pthread_create(&c, 0, consumer, 0);
	pthread_join(p, 0);
	pthread_join(c, 0);
	return 0;
}
