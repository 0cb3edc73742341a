/* The lists of <sys/queue.h>, each with a lock: two threads insert and remove, and no element is lost. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/queue.h>

struct job {
	int number;
	TAILQ_ENTRY(job) jobs;
	STAILQ_ENTRY(job) done;
	LIST_ENTRY(job) all;
	SLIST_ENTRY(job) spare;
};

TAILQ_HEAD(jobs, job) jobs = TAILQ_HEAD_INITIALIZER(jobs);
STAILQ_HEAD(done, job) done = STAILQ_HEAD_INITIALIZER(done);
LIST_HEAD(all, job) all = LIST_HEAD_INITIALIZER(all);
SLIST_HEAD(spare, job) spare;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		struct job *job = TAILQ_FIRST(&jobs);
		if (job) {
			TAILQ_REMOVE(&jobs, job, jobs);
			STAILQ_INSERT_TAIL(&done, job, done);
			LIST_REMOVE(job, all);
			SLIST_INSERT_HEAD(&spare, job, spare);
		}
		pthread_mutex_unlock(&lock);
		if (!job)
			return unused;
	}
}

int main(void)
{
	pthread_t thread;
	struct job *job, *next;
	int sum = 0, count = 0;

	SLIST_INIT(&spare);
	for (int i = 1; i <= 3; i++) {
		job = malloc(sizeof *job);
		assert(job);
		job->number = i;
		if (i == 1)
			TAILQ_INSERT_HEAD(&jobs, job, jobs);
		else
			TAILQ_INSERT_AFTER(&jobs, TAILQ_FIRST(&jobs), job, jobs);
		LIST_INSERT_HEAD(&all, job, all);
	}
	/* 1 3 2 */
	assert(TAILQ_LAST(&jobs, jobs)->number == 2);
	assert(TAILQ_PREV(TAILQ_LAST(&jobs, jobs), jobs, jobs)->number == 3);
	TAILQ_FOREACH_REVERSE(job, &jobs, jobs, jobs)
		sum = sum * 10 + job->number;
	assert(sum == 231);
	LIST_FOREACH(job, &all, all)
		count++;
	assert(count == 3);

	assert(pthread_create(&thread, 0, worker, 0) == 0);
	worker(0);
	pthread_join(thread, 0);

	assert(TAILQ_EMPTY(&jobs) && LIST_EMPTY(&all));
	assert(TAILQ_LAST(&jobs, jobs) == 0);
	sum = 0;
	STAILQ_FOREACH(job, &done, done)
		sum += job->number;
	assert(sum == 6);
	SLIST_REMOVE(&spare, STAILQ_FIRST(&done), job, spare);
	free(STAILQ_FIRST(&done));
	while ((next = SLIST_FIRST(&spare))) {
		SLIST_REMOVE_HEAD(&spare, spare);
		free(next);
	}
	return 0;
}
