/* Parallel matrix multiplication.
 * Usage: matmul [threads]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>

#define SIZE 4

static double A[SIZE][SIZE], B[SIZE][SIZE], C[SIZE][SIZE], R[SIZE][SIZE];

typedef struct
{
    int tid;
    int first_row;
    int last_row;
} job_t;

static void init_matrix(double m[SIZE][SIZE], int seed)
{
    for (int i = 0; i < SIZE; ++i)
        for (int j = 0; j < SIZE; ++j)
            m[i][j] = (seed * (i + 1) + j) % 7;
}

static void *multiply(void *arg)
{
    job_t *job = (job_t *) arg;

    for (int i = job->first_row; i < job->last_row; ++i)
    {
        for (int j = 0; j < SIZE; ++j)
        {
            double sum = 0.0;
            for (int k = 0; k < SIZE; ++k)
                sum += A[i][k] * B[k][j];
            C[i][j] = sum;
        }
    }
    return NULL;
}

int main(int argc, char *argv[])
{
    int threads = 2;

    if (argc > 1)
        threads = atoi(argv[1]);
    if (threads < 1 || threads > SIZE)
    {
        fprintf(stderr, "number of threads must be between 1 and %d\n", SIZE);
        return EXIT_FAILURE;
    }

    init_matrix(A, 3);
    init_matrix(B, 5);

    pthread_t *tids = malloc(threads * sizeof(pthread_t));
    job_t *jobs = malloc(threads * sizeof(job_t));
    if (!tids || !jobs)
    {
        perror("malloc");
        return EXIT_FAILURE;
    }

    int chunk = SIZE / threads, rest = SIZE % threads, row = 0;
    for (int t = 0; t < threads; ++t)
    {
        jobs[t].tid = t;
        jobs[t].first_row = row;
        row += chunk + (t < rest ? 1 : 0);
        jobs[t].last_row = row;
        if (pthread_create(&tids[t], NULL, multiply, &jobs[t]) != 0)
        {
            perror("pthread_create");
            return EXIT_FAILURE;
        }
    }
    for (int t = 0; t < threads; ++t)
        pthread_join(tids[t], NULL);

    /* sequential result for comparison */
    memset(R, 0, sizeof(R));
    for (int i = 0; i < SIZE; ++i)
        for (int j = 0; j < SIZE; ++j)
            for (int k = 0; k < SIZE; ++k)
                R[i][j] += A[i][k] * B[k][j];

    if (memcmp(C, R, sizeof(C)) != 0)
    {
        fprintf(stderr, "results differ\n");
        abort();
    }
    printf("OK, C[0][0] = %.1f\n", C[0][0]);
    free(tids);
    free(jobs);
    return EXIT_SUCCESS;
}
