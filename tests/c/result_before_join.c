// The result of a thread is used before the thread has been joined.
#include <pthread.h>
#include <stdlib.h>
struct task { int in, out; };
static void *square(void *arg) {
    struct task *t = arg;
    t->out = t->in * t->in;
    return 0;
}
int main(void) {
    struct task *task = malloc(sizeof *task);
    pthread_t t;
    task->in = 4;
    task->out = 0;
    pthread_create(&t, 0, square, task);
    int result = task->out;
    pthread_join(t, 0);
    free(task);
    return result == 16 ? 0 : 1;
}
