#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

typedef struct { atomic_uint next, serving; } ticket_lock;
static ticket_lock l;
static int sum;

static void acquire(ticket_lock *t)
{
    unsigned mine = atomic_fetch_add(&t->next, 1);
    while (atomic_load(&t->serving) != mine)
        ;
}
static void release(ticket_lock *t) { atomic_fetch_add(&t->serving, 1); }

static void *add(void *arg)
{
    acquire(&l);
    sum += *(int *)arg;
    release(&l);
    return 0;
}

int main(void)
{
    int a = 1, b = 2, c = 3;
    pthread_t t[3];
    pthread_create(&t[0], 0, add, &a);
    pthread_create(&t[1], 0, add, &b);
    pthread_create(&t[2], 0, add, &c);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(sum == 6);
    return 0;
}
