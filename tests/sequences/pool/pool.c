/* pool - a thread pool with a bounded list of jobs */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define JOBS 2

typedef struct {
	pthread_mutex_t lock;
	pthread_cond_t more;
	int queue[JOBS];
	int head, count;
	int closed;
} pool_t;

static pool_t pool = { .lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER };

int submitted, done;

static void pool_submit(pool_t *p, int job)
{
	pthread_mutex_lock(&p->lock);
	p->queue[(p->head + p->count) % JOBS] = job;
	p->count++;
	submitted++;
	pthread_cond_signal(&p->more);
	pthread_mutex_unlock(&p->lock);
}

static void pool_close(pool_t *p)
{
#ifdef FAULT
	/* a flag needs no lock */
	p->closed = 1;
	pthread_cond_broadcast(&p->more);
#else
	pthread_mutex_lock(&p->lock);
	p->closed = 1;
	pthread_cond_broadcast(&p->more);
	pthread_mutex_unlock(&p->lock);
#endif
}

static int pool_take(pool_t *p, int *job)
{
	int found = 0;

	pthread_mutex_lock(&p->lock);
	while (p->count == 0 && !p->closed)
		pthread_cond_wait(&p->more, &p->lock);
	if (p->count > 0) {
		*job = p->queue[p->head];
		p->head = (p->head + 1) % JOBS;
		p->count--;
		found = 1;
	}
	pthread_mutex_unlock(&p->lock);
	return found;
}

static void run_job(int job)
{
	assert(job > 0);
	pthread_mutex_lock(&pool.lock);
	done++;
	pthread_mutex_unlock(&pool.lock);
}

static void *worker(void *arg)
{
	int job;

	(void)arg;
	while (pool_take(&pool, &job))
		run_job(job);
	return NULL;
}

int main(void)
{
	pthread_t thread[2];

	pthread_create(&thread[0], NULL, worker, NULL);
	pthread_create(&thread[1], NULL, worker, NULL);
	pool_submit(&pool, 1);
	pool_submit(&pool, 2);
	pool_close(&pool);
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	assert(done == submitted);
	return 0;
}
