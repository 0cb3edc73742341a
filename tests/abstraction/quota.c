/* What is used stays within a quota that shrinks only down to it. */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int quota = 1000000, used;

void *first(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		if (used < quota)
			used = used + 1;
		pthread_mutex_unlock(&lock);
	}
	return 0;
}

void *second(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		if (quota > used)
			quota = quota - 1;
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
		assert(used <= quota);
		pthread_mutex_unlock(&lock);
	}
	return 0;
}
