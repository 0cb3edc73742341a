/* Tries are counted up to 4, and again from 0 after a request. */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int tries, requests;

void *first(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		if (tries < 4)
			tries = tries + 1;
		pthread_mutex_unlock(&lock);
	}
	return 0;
}

void *second(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		if (requests < 2000000000) {
			requests = requests + 1;
			tries = 0;
		}
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
		assert(tries >= 0 && tries <= 4);
		pthread_mutex_unlock(&lock);
	}
	return 0;
}
