/* Blocking queue with a timeout (pthread_cond_timedwait). */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <assert.h>

#define QMAX 4

struct tqueue {
	void		*slots[QMAX];
	int		 head, len;
	pthread_mutex_t	 mtx;
	pthread_cond_t	 cnd;
};

static struct tqueue q = {
	.mtx = PTHREAD_MUTEX_INITIALIZER,
	.cnd = PTHREAD_COND_INITIALIZER,
};

static int
tq_put(struct tqueue *tq, void *p)
{
	int r = 0;

	pthread_mutex_lock(&tq->mtx);
	if (tq->len == QMAX)
		r = EAGAIN;
	else {
		tq->slots[(tq->head + tq->len) % QMAX] = p;
		tq->len++;
		pthread_cond_signal(&tq->cnd);
	}
	pthread_mutex_unlock(&tq->mtx);
	return r;
}

static int
tq_get(struct tqueue *tq, void **pp, long ms)
{
	struct timespec ts;
	int r = 0;

	clock_gettime(CLOCK_REALTIME, &ts);
	ts.tv_sec += ms / 1000;
	ts.tv_nsec += (ms % 1000) * 1000000L;
	if (ts.tv_nsec >= 1000000000L) {
		ts.tv_sec++;
		ts.tv_nsec -= 1000000000L;
	}
	pthread_mutex_lock(&tq->mtx);
	while (tq->len == 0 && r == 0)
		r = pthread_cond_timedwait(&tq->cnd, &tq->mtx, &ts);
	if (tq->len > 0) {
		*pp = tq->slots[tq->head];
		tq->head = (tq->head + 1) % QMAX;
		tq->len--;
		r = 0;
	}
	pthread_mutex_unlock(&tq->mtx);
	return r;
}

static int got, timeouts;

static void *
getter(void *arg)
{
	void *p;
	int i, r;

	(void)arg;
	for (i = 0; i < 2; i++) {
		r = tq_get(&q, &p, 500);
		if (r == 0)
			got += *(int *)p;
		else if (r == ETIMEDOUT)
			timeouts++;
		else {
			fprintf(stderr, "tq_get: error %d\n", r);
			exit(1);
		}
	}
	return NULL;
}

int
main(void)
{
	static int a = 3, b = 4;
	pthread_t t;

	if (pthread_create(&t, NULL, getter, NULL) != 0)
		return 1;
	tq_put(&q, &a);
	tq_put(&q, &b);
	pthread_join(t, NULL);
	assert(got + timeouts >= 2);
	assert(timeouts != 0 || got == 7);
	return 0;
}
