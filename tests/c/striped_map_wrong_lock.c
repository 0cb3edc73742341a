// Bucket and lock are selected by different functions of the key.
#include <pthread.h>
#define BUCKETS 2
static int bucket[BUCKETS];
static pthread_mutex_t lock[BUCKETS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static void add(int key, int by) {
    pthread_mutex_lock(&lock[(key / 2) % BUCKETS]);
    bucket[key % BUCKETS] += by;
    pthread_mutex_unlock(&lock[(key / 2) % BUCKETS]);
}
static void *one(void *arg) { add(1, 1); return arg; }
static void *two(void *arg) { add(3, 1); return arg; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return bucket[0] + bucket[1];
}
