// A hash table with a lock per bucket.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#define BUCKETS 2
struct entry { int key, value; struct entry *next; };
static struct entry *bucket[BUCKETS];
static pthread_mutex_t lock[BUCKETS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static void add(int key, int by) {
    int b = key % BUCKETS;
    pthread_mutex_lock(&lock[b]);
    struct entry *e = bucket[b];
    while (e && e->key != key)
        e = e->next;
    if (!e) {
        e = malloc(sizeof *e);
        e->key = key;
        e->value = 0;
        e->next = bucket[b];
        bucket[b] = e;
    }
    e->value += by;
    pthread_mutex_unlock(&lock[b]);
}
static int get(int key) {
    int b = key % BUCKETS, value = 0;
    pthread_mutex_lock(&lock[b]);
    for (struct entry *e = bucket[b]; e; e = e->next)
        if (e->key == key)
            value = e->value;
    pthread_mutex_unlock(&lock[b]);
    return value;
}
static void *worker(void *arg) {
    add(1, 1);
    add(2, 10);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(get(1) == 2 && get(2) == 20 && get(3) == 0);
    for (int i = 0; i < BUCKETS; i++)
        while (bucket[i]) {
            struct entry *e = bucket[i];
            bucket[i] = e->next;
            free(e);
        }
    return 0;
}
