// Three stages connected by queues of one slot; a negative number closes the pipeline.
#include <assert.h>
#include <pthread.h>
struct slot {
    pthread_mutex_t m;
    pthread_cond_t changed;
    int full, value;
};
static struct slot first = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};
static struct slot second = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};
static void put(struct slot *s, int value) {
    pthread_mutex_lock(&s->m);
    while (s->full)
        pthread_cond_wait(&s->changed, &s->m);
    s->full = 1;
    s->value = value;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->m);
}
static int take(struct slot *s) {
    pthread_mutex_lock(&s->m);
    while (!s->full)
        pthread_cond_wait(&s->changed, &s->m);
    s->full = 0;
    int value = s->value;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->m);
    return value;
}
static void *generate(void *arg) {
    for (int i = 1; i <= 2; i++)
        put(&first, i);
    put(&first, -1);
    return arg;
}
static void *square(void *arg) {
    for (;;) {
        int value = take(&first);
        put(&second, value < 0 ? value : value * value);
        if (value < 0)
            return arg;
    }
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, generate, 0);
    pthread_create(&b, 0, square, 0);
    int sum = 0, value;
    while ((value = take(&second)) >= 0)
        sum += value;
    assert(sum == 5);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
