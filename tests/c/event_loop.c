// An event loop: handlers are called through a table, posts wake the loop, a stop event ends it.
#include <assert.h>
#include <pthread.h>
#define LENGTH 4
typedef int (*handler)(int argument);
struct event { handler handle; int argument; };
static struct event queue[LENGTH];
static unsigned head, tail;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t posted = PTHREAD_COND_INITIALIZER;
static int total;
static int add(int n) { total += n; return 1; }
static int stop(int unused) { (void)unused; return 0; }
static void post(handler handle, int argument) {
    pthread_mutex_lock(&lock);
    assert(tail - head < LENGTH);
    queue[tail++ % LENGTH] = (struct event){handle, argument};
    pthread_cond_signal(&posted);
    pthread_mutex_unlock(&lock);
}
static void *loop(void *arg) {
    for (int go_on = 1; go_on;) {
        pthread_mutex_lock(&lock);
        while (head == tail)
            pthread_cond_wait(&posted, &lock);
        struct event e = queue[head++ % LENGTH];
        pthread_mutex_unlock(&lock);
        go_on = e.handle(e.argument);
    }
    return arg;
}
static void *poster(void *arg) {
    post(add, 1);
    return arg;
}
int main(void) {
    pthread_t l, p;
    pthread_create(&l, 0, loop, 0);
    pthread_create(&p, 0, poster, 0);
    post(add, 2);
    pthread_join(p, 0);
    post(stop, 0);
    pthread_join(l, 0);
    assert(total == 3);
    return 0;
}
