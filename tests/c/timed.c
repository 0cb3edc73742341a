/* Durations are measured in three ways and only printed. */
#include <stdio.h>
#include <pthread.h>
#include <sys/time.h>
#include <time.h>

static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    pthread_mutex_lock(&lock);
    total++;
    pthread_mutex_unlock(&lock);
    clock_gettime(CLOCK_MONOTONIC, &to);
    double took = (to.tv_sec - from.tv_sec) + (to.tv_nsec - from.tv_nsec) / 1e9;
    printf("%f seconds, %.1f per second\n", took, 1 / took);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    struct timeval begun, done;
    time_t start = time(NULL), end;
    clock_t ticks = clock();
    gettimeofday(&begun, NULL);
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    gettimeofday(&done, NULL);
    time(&end);
    ticks = clock() - ticks;
    fprintf(stderr, "%ld us, %.0f s, %g s of the processor\n",
            (done.tv_sec - begun.tv_sec) * 1000000 + done.tv_usec - begun.tv_usec, difftime(end, start),
            (double)ticks / CLOCKS_PER_SEC);
    return total != 2;
}
