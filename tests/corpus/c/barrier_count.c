#include <assert.h>
#include <pthread.h>

/* Our barrier. It is used twice by each thread (see main loop below). */

#define NUM_THREADS 2
#define STEPS 2

static pthread_mutex_t barrier_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t barrier_cond = PTHREAD_COND_INITIALIZER;
static int arrived;

static void barrier(void)
{
    pthread_mutex_lock(&barrier_mutex);
    arrived++;
    if (arrived == NUM_THREADS) {
        arrived = 0;
        pthread_cond_broadcast(&barrier_cond);
    } else {
        while (arrived != 0)
            pthread_cond_wait(&barrier_cond, &barrier_mutex);
    }
    pthread_mutex_unlock(&barrier_mutex);
}

static int grid[STEPS + 1][NUM_THREADS] = { { 1, 2 } };

static void *simulate(void *arg)
{
    int me = *(int *)arg, s;

    for (s = 0; s < STEPS; s++) {
        grid[s + 1][me] = grid[s][0] + grid[s][1];
        barrier();
    }
    return 0;
}

int main(void)
{
    pthread_t threads[NUM_THREADS];
    int ids[NUM_THREADS], i;

    for (i = 0; i < NUM_THREADS; i++) {
        ids[i] = i;
        pthread_create(&threads[i], 0, simulate, &ids[i]);
    }
    for (i = 0; i < NUM_THREADS; i++)
        pthread_join(threads[i], 0);
    assert(grid[STEPS][0] == grid[STEPS][1]);
    return 0;
}
