/* The input is the number of threads; they wait for a flag and are all woken each time it is set. */
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int open_gate;

static void *worker(void *unused)
{
    int seen = 0;
    pthread_mutex_lock(&lock);
    while (!open_gate)
        pthread_cond_wait(&changed, &lock);
    seen++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    while (__VERIFIER_nondet_bool()) {
        pthread_t thread;
        pthread_create(&thread, 0, worker, 0);
        pthread_detach(thread);
    }
    pthread_mutex_lock(&lock);
    open_gate = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    pthread_exit(0);
}
