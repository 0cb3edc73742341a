/* The bound is tested outside the lock. */
#include <pthread.h>
#include <stdatomic.h>
#define JOBS 2
static atomic_int next_job;
static atomic_int results[JOBS];
static void *worker(void *arg)
{
    while (atomic_load(&next_job) < JOBS) {
        int job = atomic_fetch_add(&next_job, 1);
        results[job] = 1;
    }
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
