// Two producers and two consumers share a buffer of three slots; compare bounded_buffer.pml.
#include <assert.h>
#include <pthread.h>

#define PLACES 3
#define ITEMS 5

static int buffer[PLACES], first, count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;

static void *produce(void *arg) {
    int value = *(int *)arg;
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (count == PLACES)
            pthread_cond_wait(&not_full, &lock);
        buffer[(first + count) % PLACES] = value;
        count++;
        pthread_cond_broadcast(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *consume(void *arg) {
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (count == 0)
            pthread_cond_wait(&not_empty, &lock);
        int value = buffer[first];
        first = (first + 1) % PLACES;
        count--;
        pthread_cond_broadcast(&not_full);
        pthread_mutex_unlock(&lock);
        assert(value == 1 || value == 2);
    }
    return 0;
}

int main(void) {
    pthread_t t[4];
    int one = 1, two = 2;
    pthread_create(&t[0], 0, produce, &one);
    pthread_create(&t[1], 0, produce, &two);
    pthread_create(&t[2], 0, consume, 0);
    pthread_create(&t[3], 0, consume, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(count == 0);
    return 0;
}
