/* Accounts are copied with their locks while others use them; each access must be a separate transition here. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account account = { PTHREAD_MUTEX_INITIALIZER, 5 };

static void *deposit(void *arg)
{
    struct account *a = arg;
    pthread_mutex_lock(&a->lock);
    a->balance += 5;
    pthread_mutex_unlock(&a->lock);
    return 0;
}

static void *look(void *arg)
{
    pthread_mutex_t copy;
    memcpy(&copy, &((struct account *)arg)->lock, sizeof copy);
    return 0;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, deposit, &account);
    pthread_create(&t[1], 0, look, &account);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(account.balance == 10);
    return 0;
}
