#include <pthread.h>
#include <assert.h>
enum state { CLOSED, OPENING, OPEN, CLOSING };
struct connection { enum state state; pthread_mutex_t lock; pthread_cond_t changed; };
static struct connection c = { CLOSED, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER };
static void move(enum state from, enum state to)
{
    pthread_mutex_lock(&c.lock);
    while (c.state != from) pthread_cond_wait(&c.changed, &c.lock);
    c.state = to;
    pthread_cond_broadcast(&c.changed);
    pthread_mutex_unlock(&c.lock);
}
static void *peer(void *arg) { move(OPENING, OPEN); move(CLOSING, CLOSED); return 0; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, peer, 0);
    move(CLOSED, OPENING);
    move(OPEN, CLOSING);
    move(CLOSED, CLOSED);
    pthread_join(t, 0);
    assert(c.state == CLOSED);
    return 0;
}
