#include <pthread.h>
#include <assert.h>
struct account { int balance; pthread_mutex_t lock; };
static struct account acc[2] = { { 10, PTHREAD_MUTEX_INITIALIZER }, { 10, PTHREAD_MUTEX_INITIALIZER } };
static void transfer(int from, int to, int amount)
{
    struct account *first = &acc[from < to ? from : to], *second = &acc[from < to ? to : from];
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    if (acc[from].balance >= amount) {
        acc[from].balance -= amount;
        acc[to].balance += amount;
    }
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}
static void *there(void *a) { transfer(0, 1, 5); return 0; }
static void *back(void *a) { transfer(1, 0, 7); return 0; }
int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, there, 0);
    pthread_create(&t, 0, back, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(acc[0].balance + acc[1].balance == 20);
    return 0;
}
