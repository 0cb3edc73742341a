/* Lock-free single producer, single consumer ring, acquire/release. */
#include <stdatomic.h>
#include <stdbool.h>
#include <pthread.h>
#include <assert.h>

#define SIZE 2u   /* power of two */

struct spsc {
	_Alignas(64) atomic_uint head;
	_Alignas(64) atomic_uint tail;
	int data[SIZE];
};

static struct spsc ring;

static bool enqueue(struct spsc *r, int v)
{
	unsigned t = atomic_load_explicit(&r->tail, memory_order_relaxed);

	if (t - atomic_load_explicit(&r->head, memory_order_acquire) == SIZE)
		return false;
	r->data[t & (SIZE - 1)] = v;
	atomic_store_explicit(&r->tail, t + 1, memory_order_release);
	return true;
}

static bool dequeue(struct spsc *r, int *v)
{
	unsigned h = atomic_load_explicit(&r->head, memory_order_relaxed);

	if (h == atomic_load_explicit(&r->tail, memory_order_acquire))
		return false;
	*v = r->data[h & (SIZE - 1)];
	atomic_store_explicit(&r->head, h + 1, memory_order_release);
	return true;
}

static void *producer(void *arg)
{
	for (int i = 1; i <= 3; i++)
		while (!enqueue(&ring, i))
			;
	return arg;
}

int main(void)
{
	pthread_t p;
	int v, expect = 1;

	pthread_create(&p, NULL, producer, NULL);
	while (expect <= 3) {
		if (dequeue(&ring, &v)) {
			assert(v == expect);
			expect++;
		}
	}
	pthread_join(p, NULL);
	return 0;
}
