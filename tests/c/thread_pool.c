#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
#define WORKERS 2
#define JOBS 3
static int next_job, results[JOBS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t finished;
static int square(int x) { return x * x; }
static void *worker(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        int job = next_job < JOBS ? next_job++ : -1;
        pthread_mutex_unlock(&lock);
        if (job < 0) return 0;
        results[job] = square(job);
        sem_post(&finished);
    }
}
int main(void)
{
    pthread_t t[WORKERS];
    sem_init(&finished, 0, 0);
    for (int i = 0; i < WORKERS; i++) pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < JOBS; i++) sem_wait(&finished);
    int sum = 0;
    for (int i = 0; i < JOBS; i++) sum += results[i];
    assert(sum == 5);
    for (int i = 0; i < WORKERS; i++) pthread_join(t[i], 0);
    return 0;
}
