// A rate limiter: a timer fills a bucket, requests take tokens or are rejected.
#include <assert.h>
#include <pthread.h>
#define CAPACITY 2
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned char tokens, granted, refused;
static int request(void) {
    int fine = 0;
    pthread_mutex_lock(&lock);
    if (tokens > 0) {
        tokens--;
        granted++;
        fine = 1;
    } else {
        refused++;
    }
    pthread_mutex_unlock(&lock);
    return fine;
}
static void *timer(void *arg) {
    for (int tick = 0; tick < 3; tick++) {
        pthread_mutex_lock(&lock);
        if (tokens < CAPACITY)
            tokens++;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}
static void *client(void *arg) {
    request();
    request();
    return arg;
}
int main(void) {
    pthread_t t, c;
    pthread_create(&t, 0, timer, 0);
    pthread_create(&c, 0, client, 0);
    pthread_join(t, 0);
    pthread_join(c, 0);
    assert(granted + refused == 2);
    assert(tokens <= CAPACITY && tokens + granted <= 3);
    return 0;
}
