/* Each request takes back two tries. */
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
		if (tries > 0) {
			requests = requests + 1;
			tries = tries - 2;
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
