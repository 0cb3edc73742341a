/* Log with a background flusher: at exit everything must be on disk. */
#include <stdio.h>
#include <assert.h>
#include <stdbool.h>
#include <pthread.h>

#define MAXLOG 8

static int  pending[MAXLOG];
static int  n_pending;
static int  n_flushed;
static bool stop;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t  c = PTHREAD_COND_INITIALIZER;

static void write_to_disk(const int *v, int n)
{
	for (int i = 0; i < n; i++)
		printf("log: %d\n", v[i]);
}

static void *flusher(void *arg)
{
	int batch[MAXLOG], n;

	(void)arg;
	pthread_mutex_lock(&m);
	while (!stop) {
		while (n_pending == 0 && !stop)
			pthread_cond_wait(&c, &m);
		if (stop)
			break;
		n = n_pending;
		for (int i = 0; i < n; i++)
			batch[i] = pending[i];
		n_pending = 0;
		pthread_mutex_unlock(&m);
		write_to_disk(batch, n);
		pthread_mutex_lock(&m);
		n_flushed += n;
	}
	pthread_mutex_unlock(&m);
	return NULL;
}

static void log_int(int v)
{
	pthread_mutex_lock(&m);
	assert(n_pending < MAXLOG);
	pending[n_pending++] = v;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, flusher, NULL);
	log_int(1);
	log_int(2);

	pthread_mutex_lock(&m);
	stop = true;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	assert(n_flushed == 2);
	return 0;
}
