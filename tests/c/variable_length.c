/* Variable-length arrays with a parameter as length, in a loop and in a recursion, and `sizeof` of them. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct job {
    int from, to;
    long sum;
};

static void *run(void *arg)
{
    struct job *job = arg;
    int values[job->to - job->from];
    memset(values, 0, sizeof values);
    assert(sizeof(values) == (job->to - job->from) * sizeof values[0]);
    for (int i = job->from; i < job->to; i++)
        values[i - job->from] = i;
    for (int i = 0; i < sizeof values / sizeof(int); i++)
        job->sum += values[i];
    return 0;
}

static int depth(int n)
{
    char text[n][4];
    text[n - 1][3] = n;
    return n == 1 ? text[0][3] : depth(n - 1) + text[n - 1][3];
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 2;
    pthread_t threads[count];
    struct job jobs[count];
    for (int i = 0; i < count; i++) {
        jobs[i] = (struct job){ i, i + 3, 0 };
        pthread_create(&threads[i], NULL, run, &jobs[i]);
    }
    long sum = 0;
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
        sum += jobs[i].sum;
    }
    assert(sum == 9 && depth(3) == 6);
    return 0;
}
