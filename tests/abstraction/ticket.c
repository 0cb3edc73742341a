/* Tickets are served in the order in which they were drawn. */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int next, serving;

void *first(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		if (next < 2000000000)
			next = next + 1;
		pthread_mutex_unlock(&lock);
	}
	return 0;
}

void *second(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		if (serving < next)
			serving = serving + 1;
		pthread_mutex_unlock(&lock);
	}
	return 0;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, 0, first, 0);
	pthread_create(&two, 0, second, 0);
	for (;;) {
		pthread_mutex_lock(&lock);
		assert(serving <= next);
		pthread_mutex_unlock(&lock);
	}
	return 0;
}
