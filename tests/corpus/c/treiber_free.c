/* Lock-free stack, nodes from malloc, popped nodes are freed at once. */
#include <stdatomic.h>
#include <stdlib.h>
#include <stdio.h>
#include <pthread.h>

typedef struct Node {
    int value;
    struct Node *next;
} Node;

static _Atomic(Node *) top;

void push(int value)
{
    Node *n = malloc(sizeof(Node));
    if (n == NULL) {
        perror("malloc");
        exit(1);
    }
    n->value = value;
    n->next = atomic_load(&top);
    while (!atomic_compare_exchange_weak(&top, &n->next, n))
        ;
}

int pop(int *value)
{
    Node *old = atomic_load(&top);
    while (old != NULL) {
        Node *next = old->next;
        if (atomic_compare_exchange_weak(&top, &old, next)) {
            *value = old->value;
            free(old);
            return 1;
        }
    }
    return 0;
}

void *popper(void *arg)
{
    int v;
    if (pop(&v))
        *(int *)arg = v;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    int a = 0, b = 0;

    push(1);
    push(2);
    pthread_create(&t1, NULL, popper, &a);
    pthread_create(&t2, NULL, popper, &b);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("popped %d\n", a + b);
    return 0;
}
