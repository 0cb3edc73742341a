/* A parallel sum: each thread sums its part of a heap array into its own struct. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define N 1000
#define THREADS 8

typedef struct {
    const int *data;
    size_t begin, end;
    long sum;
} part_t;

static void *add_up(void *p)
{
    part_t *part = p;
    part->sum = 0;
    for (size_t i = part->begin; i < part->end; i++)
        part->sum += part->data[i];
    pthread_exit(NULL);
}

int main(void)
{
    int *data = malloc(N * sizeof *data);
    part_t *parts = calloc(THREADS, sizeof *parts);
    pthread_t threads[THREADS];
    long total = 0;
    for (int i = 0; i < N; i++)
        data[i] = i;
    for (int i = 0; i < THREADS; i++) {
        parts[i].data = data;
        parts[i].begin = (size_t)i * N / THREADS;
        parts[i].end = (size_t)(i + 1) * N / THREADS;
        if (pthread_create(&threads[i], NULL, add_up, &parts[i]) != 0)
            abort();
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        total += parts[i].sum;
    }
    printf("%ld\n", total);
    assert(total == 1L * N * (N - 1) / 2);
    free(parts);
    free(data);
    return 0;
}
