#include <stdatomic.h>
#include <threads.h>
#include <assert.h>

// test-and-set spin lock in C11, with C11 threads

typedef struct spinlock { atomic_flag f; } spinlock;

static inline void spin_acquire(spinlock *s)
{
	while (atomic_flag_test_and_set_explicit(&s->f, memory_order_acquire))
		thrd_yield();
}

static inline void spin_release(spinlock *s)
{
	atomic_flag_clear_explicit(&s->f, memory_order_release);
}

static spinlock lk = { ATOMIC_FLAG_INIT };
static struct { int hits, misses; } stats;

static int worker(void *arg)
{
	const int *keys = arg;

	for (int i = 0; keys[i] >= 0; i++) {
		spin_acquire(&lk);
		if (keys[i] & 1)
			stats.hits++;
		else
			stats.misses++;
		spin_release(&lk);
	}
	return 0;
}

int main(void)
{
	static int k1[] = { 1, 2, 3, -1 }, k2[] = { 4, 5, -1 };
	thrd_t a, b;
	int res;

	if (thrd_create(&a, worker, k1) != thrd_success)
		return 1;
	if (thrd_create(&b, worker, k2) != thrd_success)
		return 1;
	thrd_join(a, &res);
	assert(res == 0);
	thrd_join(b, &res);
	assert(res == 0);
	assert(stats.hits == 3);
	assert(stats.misses == 2);
	return 0;
}
