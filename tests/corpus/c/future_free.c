/* One-shot future: the consumer frees it as soon as it has the value. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct future {
	pthread_mutex_t mutex;
	pthread_cond_t  cond;
	bool            ready;
	int             value;
} future;

static future *future_create(void)
{
	future *f = malloc(sizeof *f);

	if (f == NULL)
		abort();
	pthread_mutex_init(&f->mutex, NULL);
	pthread_cond_init(&f->cond, NULL);
	f->ready = false;
	return f;
}

static void future_set(future *f, int value)
{
	pthread_mutex_lock(&f->mutex);
	f->value = value;
	f->ready = true;
	pthread_mutex_unlock(&f->mutex);
	pthread_cond_signal(&f->cond);
}

static int future_get(future *f)
{
	int v;

	pthread_mutex_lock(&f->mutex);
	while (!f->ready)
		pthread_cond_wait(&f->cond, &f->mutex);
	v = f->value;
	pthread_mutex_unlock(&f->mutex);
	pthread_cond_destroy(&f->cond);
	pthread_mutex_destroy(&f->mutex);
	free(f);
	return v;
}

static void *compute(void *p)
{
	future_set(p, 6 * 7);
	return NULL;
}

int main(void)
{
	future *f = future_create();
	pthread_t t;

	pthread_create(&t, NULL, compute, f);
	printf("the answer is %d\n", future_get(f));
	pthread_join(t, NULL);
	return 0;
}
