/* The iteration count is input that `main` stores in a variable and restricts before it creates the threads. */
#include <stdlib.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int rounds, total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int left(int done)
{
    return rounds - done;
}

static void *count(void *arg)
{
    for (int i = 0; left(i) > 0; i++) {
        pthread_mutex_lock(&lock);
        total++;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    rounds = __VERIFIER_nondet_int();
    if (!(rounds >= 0 && rounds <= 3))
        abort();
    pthread_create(&a, 0, count, 0);
    pthread_create(&b, 0, count, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (total != 2 * rounds)
        reach_error();
    return 0;
}
