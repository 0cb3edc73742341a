#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stddef.h>

typedef struct node { struct node *_Atomic next; atomic_int locked; } node;
static node *_Atomic tail;
static int counter;

static void lock(node *me)
{
    atomic_store(&me->next, NULL);
    atomic_store(&me->locked, 1);
    node *before = atomic_exchange(&tail, me);
    if (before) {
        atomic_store(&before->next, me);
        while (atomic_load(&me->locked)) ;
    }
}
static void unlock(node *me)
{
    node *next = atomic_load(&me->next);
    if (!next) {
        node *expected = me;
        if (atomic_compare_exchange_strong(&tail, &expected, NULL)) return;
        while (!(next = atomic_load(&me->next))) ;
    }
    atomic_store(&next->locked, 0);
}
static void *work(void *arg)
{
    node me;
    lock(&me);
    counter++;
    unlock(&me);
    return NULL;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
