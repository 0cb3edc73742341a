/* The argument of a thread points to another block, which is therefore shared. */
#include <pthread.h>
#include <stdlib.h>

struct count { int n; };
struct job { struct count *count; };

static void *work(void *arg) {
    struct job *job = arg;
    job->count->n++;
    return 0;
}

int main(void) {
    pthread_t thread;
    struct job *job = malloc(sizeof *job);
    job->count = malloc(sizeof *job->count);
    job->count->n = 0;
    pthread_create(&thread, 0, work, job);
    job->count->n++;
    pthread_join(thread, 0);
    free(job->count);
    free(job);
    return 0;
}
