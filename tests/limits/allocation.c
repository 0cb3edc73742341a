/* A heap that grows in every state, and a list through it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
atomic_int flag;
static void *work(void *arg) {
    for (;;) flag = flag + 1;
    return arg;
}
int main(void) {
    pthread_t t;
    struct node *first = 0;
    pthread_create(&t, 0, work, 0);
    for (int i = 0;; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = first; n->value = flag + i; first = n;
    }
}
