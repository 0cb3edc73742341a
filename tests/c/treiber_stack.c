#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <assert.h>

struct node { int value; struct node *next; };
static struct node *_Atomic top;

static void push(int v)
{
    struct node *n = malloc(sizeof *n);
    n->value = v;
    n->next = atomic_load(&top);
    while (!atomic_compare_exchange_weak(&top, &n->next, n))
        ;
}

static void *pusher(void *arg) { push((int)(long)arg); return 0; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, pusher, (void *)1);
    pthread_create(&b, 0, pusher, (void *)2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int sum = 0;
    struct node *n = top;
    while (n) {
        struct node *next = n->next;
        sum += n->value;
        free(n);
        n = next;
    }
    assert(sum == 3);
    return 0;
}
