// A future: one thread computes, several wait for the value.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
struct future {
    pthread_mutex_t lock;
    pthread_cond_t done;
    bool ready;
    int value;
};
static struct future f = {.lock = PTHREAD_MUTEX_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};
static void set(struct future *p, int value) {
    pthread_mutex_lock(&p->lock);
    p->value = value;
    p->ready = true;
    pthread_cond_broadcast(&p->done);
    pthread_mutex_unlock(&p->lock);
}
static int get(struct future *p) {
    pthread_mutex_lock(&p->lock);
    while (!p->ready)
        pthread_cond_wait(&p->done, &p->lock);
    int value = p->value;
    pthread_mutex_unlock(&p->lock);
    return value;
}
static void *compute(void *arg) {
    set(arg, 42);
    return 0;
}
static void *use(void *arg) {
    assert(get(arg) == 42);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, use, &f);
    pthread_create(&b, 0, compute, &f);
    assert(get(&f) == 42);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
