/* Nothing sets `ready`; the wrapper starts the model with another value. */
#include <assert.h>
#include <pthread.h>
int ready;

void *consumer(void *unused)
{
	if (ready)
		assert(ready == 2);
	return 0;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, 0, consumer, 0);
	pthread_join(thread, 0);
	return 0;
}
