/* pop frees nodes that another pop may still read: the classic error that hides the ABA problem. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { struct node *next; };
static struct node *_Atomic top;

static void push(struct node *n)
{
    n->next = atomic_load(&top);
    while (!atomic_compare_exchange_weak(&top, &n->next, n))
        ;
}

static struct node *pop(void)
{
    struct node *n = atomic_load(&top);
    while (n && !atomic_compare_exchange_weak(&top, &n, n->next))
        ;
    return n;
}

static void *worker(void *arg)
{
    struct node *n = pop();
    free(n);
    return 0;
}

int main(void)
{
    for (int i = 0; i < 2; i++)
        push(malloc(sizeof(struct node)));
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
