/* Two groups of threads that meet at barriers of their own. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t red, blue;
static atomic_int reds, blues;

static void *run_red(void *unused)
{
    atomic_fetch_add(&reds, 1);
    pthread_barrier_wait(&red);
    atomic_fetch_add(&reds, 1);
    return unused;
}

static void *run_blue(void *unused)
{
    atomic_fetch_add(&blues, 1);
    pthread_barrier_wait(&blue);
    atomic_fetch_add(&blues, 1);
    return unused;
}

int main(void)
{
    pthread_t t[4];
    pthread_barrier_init(&red, 0, 2);
    pthread_barrier_init(&blue, 0, 2);
    pthread_create(&t[0], 0, run_red, 0);
    pthread_create(&t[1], 0, run_red, 0);
    pthread_create(&t[2], 0, run_blue, 0);
    pthread_create(&t[3], 0, run_blue, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
}
