// The sequence number of the cell is incremented before its data is written.
#include <pthread.h>
#include <stdatomic.h>
#define SIZE 2
struct cell { atomic_uint sequence; int data; };
static struct cell cell[SIZE];
static atomic_uint head, tail;
static void push(int value) {
    unsigned at = atomic_fetch_add(&tail, 1);
    struct cell *c = &cell[at % SIZE];
    atomic_store(&c->sequence, at + 1);
    c->data = value;
}
static int pop(int *value) {
    unsigned at = atomic_load(&head);
    struct cell *c = &cell[at % SIZE];
    if (atomic_load(&c->sequence) != at + 1)
        return 0;
    *value = c->data;
    atomic_store(&head, at + 1);
    return 1;
}
static void *producer(void *arg) {
    push(7);
    return arg;
}
int main(void) {
    pthread_t t;
    int value = 0;
    pthread_create(&t, 0, producer, 0);
    pop(&value);
    pthread_join(t, 0);
    return value;
}
