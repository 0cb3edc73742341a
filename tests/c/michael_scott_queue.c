#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <assert.h>
struct node { int value; struct node *_Atomic next; };
static struct node *_Atomic head, *_Atomic tail;
static struct node pool[3];
static void enqueue(struct node *n, int v)
{
    n->value = v;
    atomic_store(&n->next, (struct node *)0);
    for (;;) {
        struct node *t = atomic_load(&tail), *next = atomic_load(&t->next);
        if (next) {
            atomic_compare_exchange_strong(&tail, &t, next);
        } else if (atomic_compare_exchange_strong(&t->next, &next, n)) {
            atomic_compare_exchange_strong(&tail, &t, n);
            return;
        }
    }
}
static void *producer(void *arg) { int i = (int)(long)arg; enqueue(&pool[i], i); return 0; }
int main(void)
{
    pthread_t a, b;
    atomic_store(&head, &pool[0]);
    atomic_store(&tail, &pool[0]);
    pthread_create(&a, 0, producer, (void *)1);
    pthread_create(&b, 0, producer, (void *)2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int count = 0, sum = 0;
    for (struct node *n = atomic_load(&pool[0].next); n; n = atomic_load(&n->next)) { count++; sum += n->value; }
    assert(count == 2 && sum == 3);
    return 0;
}
