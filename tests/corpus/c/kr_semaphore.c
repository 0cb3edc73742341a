/* semaphores from mutex and condition - old style C */
# include <stdio.h>
# include <stdlib.h>
# include <pthread.h>

struct sema {
	pthread_mutex_t m;
	pthread_cond_t  c;
	int             v;
};

struct sema items, slots;
pthread_mutex_t bufm;
int buf[2];
int nin, nout;

void sinit(s, v)
struct sema *s;
int v;
{
	pthread_mutex_init(&s->m, 0);
	pthread_cond_init(&s->c, 0);
	s->v = v;
}

void P(s)
register struct sema *s;
{
	pthread_mutex_lock(&s->m);
	while (s->v == 0)
		pthread_cond_wait(&s->c, &s->m);
	--s->v;
	pthread_mutex_unlock(&s->m);
}

void V(s)
register struct sema *s;
{
	pthread_mutex_lock(&s->m);
	if (s->v++ == 0)
		pthread_cond_signal(&s->c);
	pthread_mutex_unlock(&s->m);
}

void *prod(a)
void *a;
{
	register int i;

	for (i = 1; i <= 3; i++) {
		P(&slots);
		pthread_mutex_lock(&bufm);
		buf[nin++ % 2] = i;
		pthread_mutex_unlock(&bufm);
		V(&items);
	}
	return a;
}

void *cons(a)
void *a;
{
	register int i, x;

	for (i = 1; i <= 3; i++) {
		P(&items);
		pthread_mutex_lock(&bufm);
		x = buf[nout++ % 2];
		pthread_mutex_unlock(&bufm);
		V(&slots);
		if (x != i) {
			fprintf(stderr, "cons: got %d, not %d\n", x, i);
			abort();
		}
	}
	return a;
}

int main()
{
	pthread_t p, c;

	sinit(&items, 0);
	sinit(&slots, 2);
	pthread_mutex_init(&bufm, 0);
	pthread_create(&p, 0, prod, 0);
	pthread_create(&c, 0, cons, 0);
	pthread_join(p, 0);
	pthread_join(c, 0);
	return 0;
}
