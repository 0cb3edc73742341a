/* Memory of `alloca` lives until the function returns, not until its block ends. */
#include <alloca.h>
#include <assert.h>
#include <pthread.h>

static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int squares(int n)
{
    int *list, sum = 0;
    {
        list = alloca(n * sizeof *list);
        for (int i = 0; i < n; i++)
            list[i] = i * i;
    }
    for (int i = 0; i < n; i++)
        sum += list[i];
    return sum;
}

static void *worker(void *arg)
{
    int mine = squares(3) + squares(4);
    pthread_mutex_lock(&lock);
    total += mine;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(total == 2 * (5 + 14));
    return 0;
}
