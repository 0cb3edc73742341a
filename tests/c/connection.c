// A connection's state machine: events from two threads, transitions from a table.
#include <assert.h>
#include <pthread.h>
enum state { CLOSED, OPENING, OPEN, CLOSING, STATES };
enum event { CONNECT, ACCEPTED, HANG_UP, GONE, EVENTS };
static const signed char table[STATES][EVENTS] = {
    [CLOSED] = {OPENING, -1, CLOSED, CLOSED},
    [OPENING] = {-1, OPEN, CLOSING, CLOSED},
    [OPEN] = {-1, -1, CLOSING, CLOSED},
    [CLOSING] = {-1, CLOSING, CLOSING, CLOSED},
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum state now = CLOSED;
static int handle(enum event e) {
    pthread_mutex_lock(&lock);
    int next = table[now][e], fine = next >= 0;
    if (fine)
        now = (enum state)next;
    pthread_mutex_unlock(&lock);
    return fine;
}
static void *user(void *arg) {
    assert(handle(CONNECT));
    assert(handle(HANG_UP));
    return arg;
}
static void *network(void *arg) {
    handle(ACCEPTED);
    handle(GONE);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, network, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(now == CLOSED || now == CLOSING);
    return 0;
}
