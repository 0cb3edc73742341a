// A late reply opens a connection that was already closed: the state is read and written in two steps.
#include <assert.h>
#include <pthread.h>
enum state { CLOSED, OPENING, OPEN };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum state now = OPENING;
static int given_up;
static enum state look(void) {
    pthread_mutex_lock(&lock);
    enum state seen = now;
    pthread_mutex_unlock(&lock);
    return seen;
}
static void become(enum state next) {
    pthread_mutex_lock(&lock);
    now = next;
    pthread_mutex_unlock(&lock);
}
static void *network(void *arg) {
    if (look() == OPENING)
        become(OPEN);
    return arg;
}
static void *user(void *arg) {
    become(CLOSED);
    given_up = 1;
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, network, 0);
    pthread_create(&b, 0, user, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(!(given_up && now == OPEN));
    return 0;
}
