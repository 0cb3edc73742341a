/* A minimal thread pool. */

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>

typedef void (*tpool_work_fn)(void *);

typedef struct tpool_work {
	tpool_work_fn func;
	void *arg;
	struct tpool_work *next;
} tpool_work_t;

typedef struct tpool {
	tpool_work_t *first;
	tpool_work_t *last;
	pthread_mutex_t mutex;
	pthread_cond_t work_cond;
	pthread_cond_t idle_cond;
	size_t working_cnt;
	size_t thread_cnt;
	bool stop;
} tpool_t;

static tpool_work_t *work_create(tpool_work_fn func, void *arg)
{
	tpool_work_t *w;

	if (func == NULL)
		return NULL;
	w = malloc(sizeof(*w));
	if (w == NULL)
		return NULL;
	w->func = func;
	w->arg = arg;
	w->next = NULL;
	return w;
}

static tpool_work_t *work_get(tpool_t *tp)
{
	tpool_work_t *w = tp->first;

	if (w == NULL)
		return NULL;
	if (w->next == NULL) {
		tp->first = NULL;
		tp->last = NULL;
	} else {
		tp->first = w->next;
	}
	return w;
}

static void *worker(void *arg)
{
	tpool_t *tp = arg;
	tpool_work_t *w;

	for (;;) {
		pthread_mutex_lock(&tp->mutex);
		while (tp->first == NULL && !tp->stop)
			pthread_cond_wait(&tp->work_cond, &tp->mutex);
		if (tp->stop)
			break;
		w = work_get(tp);
		tp->working_cnt++;
		pthread_mutex_unlock(&tp->mutex);

		if (w != NULL) {
			w->func(w->arg);
			free(w);
		}

		pthread_mutex_lock(&tp->mutex);
		tp->working_cnt--;
		if (!tp->stop && tp->working_cnt == 0 && tp->first == NULL)
			pthread_cond_signal(&tp->idle_cond);
		pthread_mutex_unlock(&tp->mutex);
	}

	tp->thread_cnt--;
	pthread_cond_signal(&tp->idle_cond);
	pthread_mutex_unlock(&tp->mutex);
	return NULL;
}

static void tpool_wait(tpool_t *tp)
{
	pthread_mutex_lock(&tp->mutex);
	for (;;) {
		if (tp->first != NULL ||
		    (!tp->stop && tp->working_cnt != 0) ||
		    (tp->stop && tp->thread_cnt != 0))
			pthread_cond_wait(&tp->idle_cond, &tp->mutex);
		else
			break;
	}
	pthread_mutex_unlock(&tp->mutex);
}

static tpool_t *tpool_create(size_t num)
{
	tpool_t *tp = calloc(1, sizeof(*tp));
	pthread_t thread;
	size_t i;

	tp->thread_cnt = num;
	pthread_mutex_init(&tp->mutex, NULL);
	pthread_cond_init(&tp->work_cond, NULL);
	pthread_cond_init(&tp->idle_cond, NULL);
	for (i = 0; i < num; i++) {
		pthread_create(&thread, NULL, worker, tp);
		pthread_detach(thread);
	}
	return tp;
}

static void tpool_destroy(tpool_t *tp)
{
	tpool_work_t *w, *next;

	pthread_mutex_lock(&tp->mutex);
	for (w = tp->first; w != NULL; w = next) {
		next = w->next;
		free(w);
	}
	tp->first = NULL;
	tp->stop = true;
	pthread_cond_broadcast(&tp->work_cond);
	pthread_mutex_unlock(&tp->mutex);

	tpool_wait(tp);

	pthread_mutex_destroy(&tp->mutex);
	pthread_cond_destroy(&tp->work_cond);
	pthread_cond_destroy(&tp->idle_cond);
	free(tp);
}

static bool tpool_add_work(tpool_t *tp, tpool_work_fn func, void *arg)
{
	tpool_work_t *w = work_create(func, arg);

	if (w == NULL)
		return false;
	pthread_mutex_lock(&tp->mutex);
	if (tp->first == NULL) {
		tp->first = w;
		tp->last = w;
	} else {
		tp->last->next = w;
		tp->last = w;
	}
	pthread_cond_broadcast(&tp->work_cond);
	pthread_mutex_unlock(&tp->mutex);
	return true;
}

#define NUM_ITEMS 2

static void square(void *arg)
{
	int *v = arg;

	*v = *v * *v;
}

int main(void)
{
	int vals[NUM_ITEMS], i;
	tpool_t *tp = tpool_create(2);

	for (i = 0; i < NUM_ITEMS; i++) {
		vals[i] = i + 2;
		tpool_add_work(tp, square, &vals[i]);
	}
	tpool_wait(tp);
	for (i = 0; i < NUM_ITEMS; i++)
		assert(vals[i] == (i + 2) * (i + 2));
	tpool_destroy(tp);
	return 0;
}
