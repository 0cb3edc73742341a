/* A cache protected by a read-write lock: readers look up entries and insert missing ones. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define BUCKETS 4
#define THREADS 4
#define LOOKUPS 3

struct entry {
    int key, value;
    struct entry *next;
};

struct cache {
    pthread_rwlock_t lock;
    struct entry *buckets[BUCKETS];
    int filled;
};

struct user {
    struct cache *cache;
    int first;
};

static int find(struct cache *c, int key, int *value)
{
    for (struct entry *e = c->buckets[key % BUCKETS]; e; e = e->next)
        if (e->key == key) {
            *value = e->value;
            return 1;
        }
    return 0;
}

static int lookup(struct cache *c, int key)
{
    int value = 0;
    pthread_rwlock_rdlock(&c->lock);
    int hit = find(c, key, &value);
    pthread_rwlock_unlock(&c->lock);
    if (hit)
        return value;
    pthread_rwlock_wrlock(&c->lock);
    if (!find(c, key, &value)) {
        struct entry *e = malloc(sizeof *e);
        e->key = key;
        e->value = value = key * key;
        e->next = c->buckets[key % BUCKETS];
        c->buckets[key % BUCKETS] = e;
        c->filled++;
    }
    pthread_rwlock_unlock(&c->lock);
    return value;
}

static void *use(void *arg)
{
    struct user *user = arg;
    for (int i = 0; i < LOOKUPS; i++) {
        int key = user->first + i;
        assert(lookup(user->cache, key) == key * key);
    }
    return NULL;
}

int main(void)
{
    struct cache cache = { .filled = 0 };
    struct user users[THREADS];
    pthread_t t[THREADS];
    pthread_rwlock_init(&cache.lock, NULL);
    for (int i = 0; i < THREADS; i++) {
        users[i].cache = &cache;
        users[i].first = i / 2;
        pthread_create(&t[i], NULL, use, &users[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert(cache.filled == 4);
    for (int i = 0; i < BUCKETS; i++)
        while (cache.buckets[i]) {
            struct entry *next = cache.buckets[i]->next;
            free(cache.buckets[i]);
            cache.buckets[i] = next;
        }
    pthread_rwlock_destroy(&cache.lock);
    return 0;
}
