/* seqlock: one writer, many optimistic readers (all fields atomic) */
#include <stdatomic.h>
#include <pthread.h>
#include <stdio.h>
#include <assert.h>

struct sample {
	atomic_uint seq;
	atomic_int  x, y;
};

static struct sample s;

static void
sample_write(int x, int y)
{
	atomic_fetch_add(&s.seq, 1);		/* odd: in progress */
	atomic_store(&s.x, x);
	atomic_store(&s.y, y);
	atomic_fetch_add(&s.seq, 1);
}

static int
sample_read(int *x, int *y)
{
	unsigned before, after;
	int tries = 0;

	do {
		if (++tries > 3)
			return 0;
		before = atomic_load(&s.seq);
		*x = atomic_load(&s.x);
		*y = atomic_load(&s.y);
		after = atomic_load(&s.seq);
	} while (before != after || (before & 1));
	return 1;
}

static void *
writer(void *arg)
{
	int i;

	(void)arg;
	for (i = 1; i <= 2; i++)
		sample_write(i, 10 * i);
	return NULL;
}

static void *
reader(void *arg)
{
	int x, y;

	(void)arg;
	if (sample_read(&x, &y)) {
		printf("x=%d y=%d\n", x, y);
		assert(y == 10 * x);
	}
	return NULL;
}

int
main(void)
{
	pthread_t w, r1, r2;

	pthread_create(&w, NULL, writer, NULL);
	pthread_create(&r1, NULL, reader, NULL);
	pthread_create(&r2, NULL, reader, NULL);
	pthread_join(w, NULL);
	pthread_join(r1, NULL);
	pthread_join(r2, NULL);
	assert((atomic_load(&s.seq) & 1) == 0);
	return 0;
}
