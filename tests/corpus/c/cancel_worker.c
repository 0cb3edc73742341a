/* A server thread is cancelled; its clean-up handler gives everything back. */
#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>
#include <assert.h>
#include <unistd.h>

struct state {
	pthread_mutex_t mtx;
	pthread_cond_t work;
	int jobs;
	char *scratch;
	int cleaned;
};

static struct state st = {
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, NULL, 0
};

static void cleanup(void *p)
{
	struct state *s = p;

	free(s->scratch);
	s->scratch = NULL;
	s->cleaned = 1;
	pthread_mutex_unlock(&s->mtx);
}

static void *server(void *p)
{
	struct state *s = p;

	pthread_mutex_lock(&s->mtx);
	pthread_cleanup_push(cleanup, s);
	s->scratch = malloc(32);
	for (;;) {
		while (s->jobs == 0)
			pthread_cond_wait(&s->work, &s->mtx);
		s->jobs--;
	}
	pthread_cleanup_pop(1);
	return NULL;
}

int main(void)
{
	pthread_t t;
	void *res;

	pthread_create(&t, NULL, server, &st);
	pthread_mutex_lock(&st.mtx);
	st.jobs = 1;
	pthread_cond_signal(&st.work);
	pthread_mutex_unlock(&st.mtx);
	pthread_cancel(t);
	pthread_join(t, &res);
	assert(res == PTHREAD_CANCELED);
	if (st.cleaned) {
		assert(st.scratch == NULL);
		assert(pthread_mutex_trylock(&st.mtx) == 0);
	}
	return 0;
}
