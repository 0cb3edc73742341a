// The queue lock of Craig, Landin and Hagersten, where a thread frees its node while its successor still reads it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { atomic_int locked; };
static struct node first;
static _Atomic(struct node *) tail = &first;
static int inside;
static void *worker(void *arg) {
    struct node *mine = arg;
    struct node *before = atomic_exchange(&tail, mine);
    while (atomic_load(&before->locked))
        ;
    inside++;
    atomic_store(&mine->locked, 0);
    free(mine);
    return 0;
}
int main(void) {
    pthread_t a, b;
    struct node *x = malloc(sizeof *x), *y = malloc(sizeof *y);
    atomic_init(&x->locked, 1);
    atomic_init(&y->locked, 1);
    pthread_create(&a, 0, worker, x);
    pthread_create(&b, 0, worker, y);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
