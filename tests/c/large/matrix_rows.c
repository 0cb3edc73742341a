/* Matrix multiplication with one block of rows per thread; the arguments are structs on main's stack. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define N 8
#define THREADS 4

struct job {
    int from, to;
    int (*a)[N], (*b)[N], (*c)[N];
};

static void *multiply(void *arg)
{
    struct job *job = arg;
    for (int i = job->from; i < job->to; i++)
        for (int j = 0; j < N; j++) {
            job->c[i][j] = 0;
            for (int k = 0; k < N; k++)
                job->c[i][j] += job->a[i][k] * job->b[k][j];
        }
    return NULL;
}

int main(void)
{
    int (*a)[N] = malloc(sizeof(int[N][N]));
    int (*b)[N] = malloc(sizeof(int[N][N]));
    int (*c)[N] = malloc(sizeof(int[N][N]));
    if (!a || !b || !c)
        return 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i + j;
            b[i][j] = i == j;
        }
    pthread_t t[THREADS];
    struct job jobs[THREADS];
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (struct job){ i * N / THREADS, (i + 1) * N / THREADS, a, b, c };
        pthread_create(&t[i], NULL, multiply, &jobs[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            assert(c[i][j] == a[i][j]);
    free(a);
    free(b);
    free(c);
    return 0;
}
