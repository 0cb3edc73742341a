#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int low, high;

void *writer(void *arg)
{
	for (int i = 0; i < 2; i++) {
		pthread_rwlock_wrlock(&lock);
		low = low + 1;
		high = high + 1;
		pthread_rwlock_unlock(&lock);
	}
	return 0;
}

void *reader(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	int seen = low;
	assert(seen == high);
	pthread_rwlock_unlock(&lock);
	return 0;
}

int main(void)
{
	pthread_t writers[2], readers[2];
	for (int i = 0; i < 2; i++) {
		pthread_create(&writers[i], NULL, writer, NULL);
		pthread_create(&readers[i], NULL, reader, NULL);
	}
	for (int i = 0; i < 2; i++) {
		pthread_join(writers[i], NULL);
		pthread_join(readers[i], NULL);
	}
	assert(low == 4);
	return 0;
}
