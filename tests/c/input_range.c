/* The number of threads is input, restricted to a range by a function; every value of the range is explored. */
#include <stdlib.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static void require(int ok)
{
    if (!ok)
        abort();
}

static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *arg)
{
    pthread_mutex_lock(&lock);
    total += *(int *)arg;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    int count = __VERIFIER_nondet_int(), one = 1;
    require(count >= 0);
    require(count < 4);
    pthread_t *threads = malloc(count * sizeof *threads);
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], 0, add, &one);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], 0);
    free(threads);
    if (total != count)
        abort();
    return 0;
}
