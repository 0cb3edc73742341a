/* MCS queue lock, after Mellor-Crummey and Scott. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <pthread.h>
#include <assert.h>

typedef struct mcs_node mcs_node;
struct mcs_node {
    _Atomic(mcs_node *) next;
    atomic_bool locked;
};
typedef struct { _Atomic(mcs_node *) tail; } mcs_lock;

static void mcs_acquire(mcs_lock *L, mcs_node *I)
{
    atomic_store(&I->next, NULL);
    mcs_node *pred = atomic_exchange(&L->tail, I);
    if (pred != NULL) {
        atomic_store(&I->locked, true);
        atomic_store(&pred->next, I);
        while (atomic_load(&I->locked))
            ;
    }
}

static void mcs_release(mcs_lock *L, mcs_node *I)
{
    mcs_node *succ = atomic_load(&I->next);
    if (succ == NULL) {
        mcs_node *expected = I;
        if (atomic_compare_exchange_strong(&L->tail, &expected, NULL))
            return;
        do {
            succ = atomic_load(&I->next);
        } while (succ == NULL);
    }
    atomic_store(&succ->locked, false);
}

static mcs_lock lock;
static int in_cs, total;

static void *thread_main(void *unused)
{
    mcs_node me;
    (void)unused;
    mcs_acquire(&lock, &me);
    assert(in_cs == 0);
    in_cs = 1;
    total++;
    in_cs = 0;
    mcs_release(&lock, &me);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, thread_main, NULL);
    pthread_create(&t2, NULL, thread_main, NULL);
    pthread_create(&t3, NULL, thread_main, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    assert(total == 3);
    assert(atomic_load(&lock.tail) == NULL);
    return 0;
}
