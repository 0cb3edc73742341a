/* lru.c - a small thread-safe LRU cache */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <pthread.h>
#include <assert.h>

#define NBUCKETS	4
#define MAX_ENTRIES	2

struct entry {
	char		key[8];
	int		value;
	struct entry	*hnext;			/* hash chain */
	struct entry	*prev, *next;		/* LRU list */
};

struct lru {
	pthread_mutex_t	lock;
	struct entry	*bucket[NBUCKETS];
	struct entry	head;			/* sentinel */
	int		count;
	unsigned long	hits, misses;
};

static unsigned hash(const char *s)
{
	unsigned h = 5381;

	while (*s)
		h = h * 33 + (unsigned char)*s++;
	return h % NBUCKETS;
}

static void list_del(struct entry *e)
{
	e->prev->next = e->next;
	e->next->prev = e->prev;
}

static void list_add(struct lru *c, struct entry *e)
{
	e->next = c->head.next;
	e->prev = &c->head;
	c->head.next->prev = e;
	c->head.next = e;
}

static struct lru *lru_new(void)
{
	struct lru *c = calloc(1, sizeof *c);

	if (!c) {
		fprintf(stderr, "lru_new: %s\n", strerror(errno));
		exit(1);
	}
	pthread_mutex_init(&c->lock, NULL);
	c->head.prev = c->head.next = &c->head;
	return c;
}

static void evict(struct lru *c)
{
	struct entry *victim = c->head.prev, **pp;

	list_del(victim);
	for (pp = &c->bucket[hash(victim->key)]; *pp != victim; pp = &(*pp)->hnext)
		;
	*pp = victim->hnext;
	free(victim);
	c->count--;
}

static struct entry *find(struct lru *c, const char *key)
{
	struct entry *e;

	for (e = c->bucket[hash(key)]; e; e = e->hnext)
		if (strcmp(e->key, key) == 0)
			return e;
	return NULL;
}

static int lru_get(struct lru *c, const char *key, int *out)
{
	struct entry *e;
	int ret = -ENOENT;

	pthread_mutex_lock(&c->lock);
	e = find(c, key);
	if (e) {
		c->hits++;
		list_del(e);
		list_add(c, e);
		*out = e->value;
		ret = 0;
	} else {
		c->misses++;
	}
	pthread_mutex_unlock(&c->lock);
	return ret;
}

static void lru_put(struct lru *c, const char *key, int value)
{
	struct entry *e;
	unsigned h = hash(key);

	pthread_mutex_lock(&c->lock);
	e = find(c, key);
	if (!e) {
		if (c->count == MAX_ENTRIES)
			evict(c);
		e = malloc(sizeof *e);
		strncpy(e->key, key, sizeof e->key - 1);
		e->key[sizeof e->key - 1] = '\0';
		e->hnext = c->bucket[h];
		c->bucket[h] = e;
		list_add(c, e);
		c->count++;
	}
	e->value = value;
	pthread_mutex_unlock(&c->lock);
}

static void lru_free(struct lru *c)
{
	while (c->count)
		evict(c);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

static struct lru *cache;

static void *client(void *arg)
{
	const char *mine = arg;
	int v;

	lru_put(cache, mine, mine[0]);
	if (lru_get(cache, mine, &v) == 0)
		assert(v == mine[0]);
	lru_get(cache, "shared", &v);
	return NULL;
}

int main(void)
{
	pthread_t t1, t2;

	cache = lru_new();
	lru_put(cache, "shared", 7);
	pthread_create(&t1, NULL, client, "alpha");
	pthread_create(&t2, NULL, client, "beta");
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	assert(cache->hits + cache->misses == 4);
	assert(cache->count <= MAX_ENTRIES);
	lru_free(cache);
	return 0;
}
