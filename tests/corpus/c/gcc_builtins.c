/* Old GCC __sync builtins: a lock and a statistics counter. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define barrier()      __asm__ __volatile__("" : : : "memory")
#define likely(x)      __builtin_expect(!!(x), 1)
#define ACCESS_ONCE(x) (*(volatile __typeof__(x) *)&(x))

typedef int slock_t;

static slock_t lock;
static unsigned acquired;
static long table[4];

static inline void s_lock(slock_t *l)
{
	while (__sync_lock_test_and_set(l, 1))
		;
}

static inline void s_unlock(slock_t *l)
{
	__sync_lock_release(l);
}

static void *updater(void *arg)
{
	long k = (long)arg;

	s_lock(&lock);
	barrier();
	if (likely(table[k & 3] == 0))
		table[k & 3] = k;
	s_unlock(&lock);
	__sync_fetch_and_add(&acquired, 1);
	return NULL;
}

int main(void)
{
	pthread_t t[3];
	long i;

	for (i = 0; i < 3; i++)
		if (pthread_create(&t[i], NULL, updater, (void *)(i + 1))) {
			perror("pthread_create");
			exit(1);
		}
	for (i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	__sync_synchronize();
	if (acquired != 3 || table[1] != 1 || table[2] != 2 || table[3] != 3)
		abort();
	return 0;
}
