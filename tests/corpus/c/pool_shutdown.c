/* thread pool with an orderly shutdown */
#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>
#include <stdatomic.h>

#define POOL_SIZE 2
#define MAX_TASKS 4

typedef struct {
	void (*function)(void *);
	void *argument;
} threadpool_task_t;

typedef struct {
	pthread_mutex_t lock;
	pthread_cond_t notify;
	pthread_t threads[POOL_SIZE];
	threadpool_task_t queue[MAX_TASKS];
	int head, tail, count;
	int shutdown;
} threadpool_t;

static void *threadpool_thread(void *p)
{
	threadpool_t *pool = (threadpool_t *)p;
	threadpool_task_t task;

	for (;;) {
		pthread_mutex_lock(&pool->lock);
		while (pool->count == 0 && !pool->shutdown)
			pthread_cond_wait(&pool->notify, &pool->lock);
		if (pool->shutdown && pool->count == 0)
			break;
		task = pool->queue[pool->head];
		pool->head = (pool->head + 1) % MAX_TASKS;
		pool->count -= 1;
		pthread_mutex_unlock(&pool->lock);
		(*(task.function))(task.argument);
	}
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

static threadpool_t *threadpool_create(void)
{
	threadpool_t *pool = calloc(1, sizeof(threadpool_t));

	if (pool == NULL)
		return NULL;
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->notify, NULL);
	for (int i = 0; i < POOL_SIZE; i++)
		if (pthread_create(&pool->threads[i], NULL, threadpool_thread, pool) != 0)
			return NULL;
	return pool;
}

static int threadpool_add(threadpool_t *pool, void (*function)(void *), void *argument)
{
	int err = 0;

	pthread_mutex_lock(&pool->lock);
	if (pool->count == MAX_TASKS) {
		err = -1;
	} else {
		pool->queue[pool->tail].function = function;
		pool->queue[pool->tail].argument = argument;
		pool->tail = (pool->tail + 1) % MAX_TASKS;
		pool->count += 1;
		pthread_cond_signal(&pool->notify);
	}
	pthread_mutex_unlock(&pool->lock);
	return err;
}

static void threadpool_destroy(threadpool_t *pool)
{
	pthread_mutex_lock(&pool->lock);
	pool->shutdown = 1;
	pthread_cond_signal(&pool->notify);
	pthread_mutex_unlock(&pool->lock);
	for (int i = 0; i < POOL_SIZE; i++)
		pthread_join(pool->threads[i], NULL);
	pthread_mutex_destroy(&pool->lock);
	pthread_cond_destroy(&pool->notify);
	free(pool);
}

static atomic_int done;

static void dummy_task(void *arg)
{
	(void)arg;
	atomic_fetch_add(&done, 1);
}

int main(void)
{
	threadpool_t *pool = threadpool_create();

	if (pool == NULL)
		return 1;
	threadpool_add(pool, &dummy_task, NULL);
	threadpool_destroy(pool);
	printf("did %d tasks\n", atomic_load(&done));
	return 0;
}
