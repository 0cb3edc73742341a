#include <pthread.h>
#include <assert.h>
static int n;
static void *inc(void *arg) { for (int i = 0; i < 2; i++) __sync_fetch_and_add(&n, 1); return 0; }
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, inc, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    assert(__atomic_load_n(&n, __ATOMIC_SEQ_CST) == 6);
    return 0;
}
