/* Unbuffered ("rendezvous") channel as in Go. */

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct chan {
	pthread_mutex_t mu;
	pthread_cond_t sent, taken, idle;
	bool full;	/* a value is on offer */
	bool busy;	/* a sender owns the slot */
	bool closed;
	int slot;
};

static struct chan *make_chan(void)
{
	struct chan *c = calloc(1, sizeof(*c));

	assert(c != NULL);
	pthread_mutex_init(&c->mu, NULL);
	pthread_cond_init(&c->sent, NULL);
	pthread_cond_init(&c->taken, NULL);
	pthread_cond_init(&c->idle, NULL);
	return c;
}

static void chan_send(struct chan *c, int v)
{
	pthread_mutex_lock(&c->mu);
	assert(!c->closed);
	while (c->busy)
		pthread_cond_wait(&c->idle, &c->mu);
	c->busy = true;
	c->slot = v;
	c->full = true;
	pthread_cond_signal(&c->sent);
	while (c->full)
		pthread_cond_wait(&c->taken, &c->mu);
	c->busy = false;
	pthread_cond_signal(&c->idle);
	pthread_mutex_unlock(&c->mu);
}

static bool chan_recv(struct chan *c, int *v)
{
	bool ok;

	pthread_mutex_lock(&c->mu);
	while (!c->full && !c->closed)
		pthread_cond_wait(&c->sent, &c->mu);
	ok = c->full;
	if (ok) {
		*v = c->slot;
		c->full = false;
		pthread_cond_signal(&c->taken);
	}
	pthread_mutex_unlock(&c->mu);
	return ok;
}

static void chan_close(struct chan *c)
{
	pthread_mutex_lock(&c->mu);
	c->closed = true;
	pthread_cond_broadcast(&c->sent);
	pthread_mutex_unlock(&c->mu);
}

/* func gen(c chan int, n int) { for i := 1..n { c <- i } } */
struct gen_args { struct chan *c; int from, to; };

static void *gen(void *p)
{
	struct gen_args *a = p;

	for (int i = a->from; i <= a->to; i++)
		chan_send(a->c, i);
	free(a);
	return NULL;
}

static pthread_t go_gen(struct chan *c, int from, int to)
{
	struct gen_args *a = malloc(sizeof(*a));
	pthread_t t;

	*a = (struct gen_args){ c, from, to };
	if (pthread_create(&t, NULL, gen, a) != 0)
		abort();
	return t;
}

static int sum;

static void *drain(void *p)
{
	struct chan *c = p;
	int v;

	while (chan_recv(c, &v))
		sum += v;
	return NULL;
}

int main(void)
{
	struct chan *c = make_chan();
	pthread_t g1, g2, d;

	pthread_create(&d, NULL, drain, c);
	g1 = go_gen(c, 1, 2);
	g2 = go_gen(c, 3, 4);
	pthread_join(g1, NULL);
	pthread_join(g2, NULL);
	chan_close(c);
	pthread_join(d, NULL);
	assert(sum == 10);
	free(c);
	return 0;
}
