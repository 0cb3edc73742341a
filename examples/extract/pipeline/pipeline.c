#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

/* Three stages that hand one number on, each through a slot with two semaphores. */
enum { ROUNDS = 3 };

struct slot { sem_t filled, empty; int value; };
struct slot slots[2];
int sum;

void *source(void *arg)
{
	for (int i = 1; i <= ROUNDS; i++) {
		sem_wait(&slots[0].empty);
		slots[0].value = i;
		sem_post(&slots[0].filled);
	}
	return 0;
}

void *stage(void *arg)
{
	for (int i = 1; i <= ROUNDS; i++) {
		int n;
		sem_wait(&slots[0].filled);
		n = slots[0].value;
		sem_post(&slots[0].empty);
		sem_wait(&slots[1].empty);
		slots[1].value = 2 * n;
		sem_post(&slots[1].filled);
	}
	return 0;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) {
		if (sem_init(&slots[i].filled, 0, 0) != 0)
			return 1;
		sem_init(&slots[i].empty, 0, 1);
	}
	if (pthread_create(&threads[0], 0, source, 0) != 0)
		return 1;
	if (pthread_create(&threads[1], 0, stage, 0))
		return 1;
	for (int i = 1; i <= ROUNDS; i++) {
		sem_wait(&slots[1].filled);
		assert(slots[1].value == 2 * i);
		sem_post(&slots[1].empty);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	return 0;
}
