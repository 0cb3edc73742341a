/* Monte Carlo on several threads, rand_r with own seeds. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define THREADS 2
#define THROWS  2

typedef struct { unsigned int seed; int hits; } task_t;

static void *throw_darts(void *arg)
{
    task_t *t = arg;
    for (int i = 0; i < THROWS; i++) {
        double x = (double)rand_r(&t->seed) / RAND_MAX;
        double y = (double)rand_r(&t->seed) / RAND_MAX;
        if (x * x + y * y <= 1.0)
            t->hits++;
    }
    return NULL;
}

int main(void)
{
    pthread_t tid[THREADS];
    task_t tasks[THREADS];
    int hits = 0;

    srand(time(NULL));
    for (int i = 0; i < THREADS; i++) {
        tasks[i].seed = rand();
        tasks[i].hits = 0;
        pthread_create(&tid[i], NULL, throw_darts, &tasks[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(tid[i], NULL);
        hits += tasks[i].hits;
    }
    printf("pi is about %f\n", 4.0 * hits / (THREADS * THROWS));
    return 0;
}
