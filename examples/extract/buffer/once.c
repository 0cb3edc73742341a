#include <assert.h>
#include <pthread.h>

#define SIZE 2
#define ITEMS 3

struct buffer {
	pthread_mutex_t lock;
	pthread_cond_t not_empty, not_full;
	int items[SIZE];
	int first, count;
};

struct buffer buffer = { .lock = PTHREAD_MUTEX_INITIALIZER };

void *producer(void *arg)
{
	struct buffer *b = arg;
	for (int i = 1; i <= ITEMS; i++) {
		pthread_mutex_lock(&b->lock);
		while (b->count == SIZE)
			pthread_cond_wait(&b->not_full, &b->lock);
		b->items[(b->first + b->count) % SIZE] = i;
		b->count++;
		pthread_cond_signal(&b->not_empty);
		pthread_mutex_unlock(&b->lock);
	}
	return 0;
}

void *consumer(void *arg)
{
	struct buffer *b = arg;
	for (int i = 1; i <= ITEMS; i++) {
		pthread_mutex_lock(&b->lock);
		if (b->count == 0)
			pthread_cond_wait(&b->not_empty, &b->lock);
		int item = b->items[b->first];
		b->first = (b->first + 1) % SIZE;
		b->count--;
		pthread_cond_signal(&b->not_full);
		pthread_mutex_unlock(&b->lock);
		assert(item == i);
	}
	return 0;
}

int main(void)
{
	pthread_t one, other;
	pthread_create(&one, 0, producer, &buffer);
	pthread_create(&other, 0, consumer, &buffer);
	pthread_join(one, 0);
	pthread_join(other, 0);
	assert(buffer.count == 0);
	return 0;
}
