/* The sender allows one message too many. */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int sent, acked;

void *first(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		if (sent - acked <= 8 && sent < 2000000000)
			sent = sent + 1;
		pthread_mutex_unlock(&lock);
	}
	return 0;
}

void *second(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		if (acked < sent)
			acked = acked + 1;
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
		assert(sent - acked <= 8);
		pthread_mutex_unlock(&lock);
	}
	return 0;
}
