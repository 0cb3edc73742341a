// Two deposits without a lock: both may read the old balance.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int balance;

static void *deposit(void *arg) {
    int now = balance;
    balance = now + 10;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, deposit, 0);
    pthread_create(&b, 0, deposit, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(balance == 20);
    return 0;
}
