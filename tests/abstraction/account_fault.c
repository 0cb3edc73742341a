/* The second transfer adds more than it takes. */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int a = 1000, b = 1000;

void *first(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		if (a >= 7) {
			a = a - 7;
			b = b + 7;
		}
		pthread_mutex_unlock(&lock);
	}
	return 0;
}

void *second(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		if (b >= 13) {
			b = b - 13;
			a = a + 14;
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
		assert(a + b == 2000);
		pthread_mutex_unlock(&lock);
	}
	return 0;
}
