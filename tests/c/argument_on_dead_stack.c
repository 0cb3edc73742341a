// The argument of a detached thread is on the stack of a function that returns.
#include <pthread.h>
struct job { int from, to; };
static pthread_t t;
static void *worker(void *arg) {
    struct job *job = arg;
    return (void *)(long)(job->to - job->from);
}
static void submit(int from, int to) {
    struct job job = {from, to};
    pthread_create(&t, 0, worker, &job);
}
int main(void) {
    submit(1, 3);
    pthread_join(t, 0);
    return 0;
}
