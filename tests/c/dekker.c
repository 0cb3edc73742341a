#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

static _Atomic int want[2], turn;
static int critical;

static void *run(void *arg)
{
    long i = (long)arg;
    want[i] = 1;
    while (want[1 - i]) {
        if (turn != i) {
            want[i] = 0;
            while (turn != i)
                ;
            want[i] = 1;
        }
    }
    critical = (int)i;
    assert(critical == i);
    turn = 1 - i;
    want[i] = 0;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, run, (void *)0L);
    pthread_create(&b, 0, run, (void *)1L);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
